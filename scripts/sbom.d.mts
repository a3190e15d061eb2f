export function billOfMaterials(root: string): BillOfMaterials

interface BillOfMaterials {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } }
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly properties: readonly { readonly name: string; readonly value: string }[]
  }[]
}
