// Coins and balances of the preset `docs`: with them, the server answers a request of the
// framework's documentation with the answer that is printed there.
// source: documentation of enable_tendermint_with_assets, task::enable_bch, task::init_trezor

import type { CoinConfig, FrameworkScript } from './script.ts'

const tendermint = (denom: string, account_prefix: string, chain_id: string): object => ({
  type: 'TENDERMINT',
  protocol_data: { decimals: 6, denom, account_prefix, chain_id },
})

const cosmos = { avg_blocktime: 5, derivation_path: "m/44'/118'" }

/**
 * Entries of a coins file for the coins that the samples name. Entries that the documentation uses
 * to show an error are wrong here too.
 */
export const documentedCoins: readonly CoinConfig[] = [
  { coin: 'IRIS', ...cosmos, protocol: tendermint('uiris', 'iaa', 'irishub-1') },
  { coin: 'ATOM', ...cosmos, protocol: tendermint('uatom', 'cosmos', 'cosmoshub-4') },
  {
    coin: 'ATOM-IBC_IRIS',
    protocol: {
      type: 'TENDERMINTTOKEN',
      protocol_data: {
        platform: 'IRIS',
        decimals: 6,
        denom: 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2',
      },
    },
  },
  { coin: 'BCH', protocol: { type: 'BCH', protocol_data: { slp_prefix: 'simpleledger' } } },
  { coin: 'tBCH', protocol: { type: 'BCH', protocol_data: { slp_prefix: 'slptest' } } },
  { coin: 'KMD', protocol: { type: 'UTXO' } },
  { coin: 'BABYDOGE-BEP20', protocol: { type: 'WOOF' } },
]

const none = { spendable: '0', unspendable: '0' }
const cashAddress = 'bitcoincash:qq6qvc33strtjwnfktdqswwvxuhrhs2ussavvhv3a0'

export const documentedScript: FrameworkScript = {
  userpass: 'RPC_UserP@SSW0RD',
  wallet: 'HD',
  coins: {
    IRIS: {
      address: 'iaa16drqvl3u8sukfsu4lm3qsk28jr3fahja9vsv6k',
      current_block: 19769638,
      balance: { spendable: '44.147264', unspendable: '0' },
    },
    'ATOM-IBC_IRIS': {
      address: 'iaa16drqvl3u8sukfsu4lm3qsk28jr3fahja9vsv6k',
      balance: { spendable: '0.028306', unspendable: '0' },
    },
    ATOM: {
      address: 'cosmos16drqvl3u8sukfsu4lm3qsk28jr3fahjaswsac8',
      current_block: 22148347,
      balance: { spendable: '1.003381', unspendable: '0' },
      sessions: ['3569914dd09a5cc4ac92dedab354f06ff5db17ef616233a8ba562cbea51269fd'],
    },
    BCH: {
      address: cashAddress,
      current_block: 895348,
      balance: none,
      accounts: [
        {
          account_index: 0,
          derivation_path: "m/44'/145'/0'",
          addresses: [
            {
              address: cashAddress,
              derivation_path: "m/44'/145'/0'/0/0",
              chain: 'External',
              balance: none,
            },
          ],
        },
      ],
    },
  },
  devices: [
    {
      name: 'Fitzchivalry Farseer',
      model: 'One',
      device_id: 'A1CCF11243A795A84111955E',
      device_pubkey: '066deb87b0d0500ec2e9b85f5314870b03a53517',
      pin: '862743',
    },
  ],
}
