// One transaction: picture, verdict, fields, bytes.

import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { fieldsOf, marksOf } from './fields.ts'
import { flowsOf } from './flow.ts'
import { HexView } from './hex-view.tsx'
import { Picture } from './picture.tsx'
import type { TransactionSubject } from './subject.ts'
import { type Branch, scriptBranches, scriptSigBranches, Tree, valueBranches } from './tree.tsx'
import { Verdict } from './verdict.tsx'
import { amountText, safe, shortened } from './words.ts'

/** Rows of a list that are there at once. */
const rowsMax = 200

export function TransactionView({
  subject,
}: {
  readonly subject: TransactionSubject
}): JSX.Element {
  const [selected, select] = useState<string>()
  const { transaction, hex, checked, token, tokenTrouble } = subject
  const fields = useMemo(() => fieldsOf(transaction), [transaction])
  const flows = useMemo(() => flowsOf(subject), [subject])
  const marks = useMemo(() => marksOf(fields, checked?.report.findings ?? []), [fields, checked])

  return (
    <>
      {checked !== undefined && <Verdict {...checked} onSelect={select} />}
      <section aria-labelledby="flows">
        <h2 id="flows">What it does</h2>
        <p>
          Transaction <code class="id">{transaction.txid}</code>, {hex.length / 2} bytes
          {token !== undefined && (
            <>
              , {token.kind === 'create' ? 'creates' : 'moves'} token{' '}
              <code class="id">{token.tokenid}</code>
            </>
          )}
        </p>
        {checked === undefined && (
          <p class="hint">
            Nothing was asked for here, so nothing is checked. Paste a case to have a verdict, and
            to know what the inputs are worth.
          </p>
        )}
        {tokenTrouble !== undefined && (
          <p class="hint">Its token payload cannot be read: {safe(tokenTrouble)}</p>
        )}
        <Picture flows={flows} selected={selected} onSelect={select} />
        {flows.map(({ asset, inputs, outputs }) => (
          <div class="columns" key={asset}>
            {[['In', inputs] as const, ['Out', outputs] as const].map(([title, parts]) => (
              <div key={title}>
                <h3>
                  {title}, {asset === 'coins' ? 'coins' : `token ${shortened(asset)}`}
                </h3>
                <ol class="parts">
                  {parts.slice(0, rowsMax).map((part) => (
                    <li key={`${part.path} ${part.label}`}>
                      <button
                        type="button"
                        aria-pressed={selected === part.path}
                        onClick={() => select(part.path)}
                      >
                        <span>{part.label}</span> <span>{amountText(part.amount, asset)}</span>{' '}
                        <span class="dim">{part.path}</span>
                      </button>
                    </li>
                  ))}
                </ol>
                {parts.length > rowsMax && <p class="hint">{parts.length - rowsMax} more</p>}
                {parts.length === 0 && <p class="hint">nothing</p>}
              </div>
            ))}
          </div>
        ))}
      </section>
      <section aria-labelledby="bytes">
        <h2 id="bytes">Bytes</h2>
        <HexView hex={hex} fields={fields} selected={selected} marks={marks} onSelect={select} />
      </section>
      <section aria-labelledby="detail" aria-live="polite">
        <h2 id="detail">{safe(selected ?? 'Choose a field, an input or an output')}</h2>
        {selected !== undefined && <Tree branches={detailOf(selected, subject, fields)} />}
      </section>
    </>
  )
}

function detailOf(
  path: string,
  { transaction, network, checked }: TransactionSubject,
  fields: ReturnType<typeof fieldsOf>,
): Branch[] {
  const [, list, at] = /^(inputs|outputs)\[(\d+)\]/.exec(path) ?? []
  const input = list === 'inputs' ? transaction.inputs[Number(at)] : undefined
  const output = list === 'outputs' ? transaction.outputs[Number(at)] : undefined
  const field = fields.find((one) => one.path === path)
  const findings = (checked?.report.findings ?? []).filter((one) => one.path === path)
  return [
    ...(field === undefined
      ? []
      : [
          { name: 'means', value: field.meaning },
          { name: 'bytes', value: `${field.start} to ${field.end - 1}` },
        ]),
    ...findings.map(({ code, message }) => ({ name: code, value: message })),
    ...(input === undefined
      ? []
      : [
          { name: 'spends', value: `${input.txid}:${input.vout}` },
          { name: 'sequence', value: `0x${input.sequence.toString(16).padStart(8, '0')}` },
          { name: 'scriptSig', inside: scriptSigBranches(input.scriptSig) },
        ]),
    ...(output === undefined
      ? []
      : [
          { name: 'value', value: output.value.toString() },
          { name: 'scriptPubKey', inside: scriptBranches(output.script, network) },
        ]),
    ...(path.startsWith('intent') && checked !== undefined
      ? valueBranches(checked.given.intent)
      : []),
  ]
}
