import type { EquihashParameters } from './header.ts'

/** A block that somebody vouches for. */
export interface Checkpoint {
  readonly height: number
  /** Display order. */
  readonly hash: string
}

/** The rules by which the headers of a chain are checked. */
export interface ChainRules {
  readonly equihash: EquihashParameters
  /** The easiest target of the chain, in compact form; 0x200f0f0f if absent. */
  readonly limitBits?: number
  /**
   * True where some blocks may be as easy as the limit, whatever target they state: notaries mine
   * such blocks of KMD, and stakers those of chains with `-ac_staked`.
   */
  readonly allowsEasyBlocks?: boolean
  /** Blocks of the chain, by which its headers are recognised. */
  readonly checkpoints: readonly Checkpoint[]
}

/** The first block of KMD, which all asset chains have too. komodo src/chainparams.cpp */
export const sharedGenesis = '027e3758c3a65b12aa1046462b486d0a63bfa1beae327897f56c5cfb7daaae71'

/** komodo src/komodo_defs.h, KOMODO_MINDIFF_NBITS */
export const easiestBits = 0x200f0f0f

/**
 * The rules of KMD, with the checkpoints of its daemon.
 *
 * @see komodo src/chainparams.cpp, checkpointData; src/pow.cpp, CheckProofOfWork
 */
export const komodoRules: ChainRules = {
  equihash: { n: 200, k: 9 },
  allowsEasyBlocks: true,
  checkpoints: [
    { height: 0, hash: sharedGenesis },
    { height: 99996, hash: '00001d43f3cd902b726650d79f1d3376076aec3aa83d6ec8609b37e088f02ca4' },
    { height: 199996, hash: '000000b3c719380fbe28d4003407e1f90a7d97f6341eecb8616338eaafd36185' },
    { height: 299989, hash: '00000041a4c5bf30567db423184ec20075dbce6d151d46b31e035f6684acdd18' },
    { height: 399980, hash: '000000065a274c81e3a195ab3c4d790e7fdeaded326b99c340d7c55198c194d7' },
    { height: 499980, hash: '00000005327af413e0bc4106b4f47975ee8cb9cd4ed7aa14b99902878d231828' },
    { height: 599977, hash: '00000001c0cf63f839fc858adea9abebe89626b2292bb4414a7d000bb8479079' },
    { height: 699950, hash: '00000007bf5edb11fe746787187c9c2e2d79a930c6b73ca002728a758bfee0d7' },
    { height: 799950, hash: '00000006e3bd2516abfa2c28a0c43e409e80a47b5e37855127f080489217d870' },
    { height: 899944, hash: '0000000cb3ec2959a6fb86be280d9489516b570d507460253376cfa2a1db34c0' },
    { height: 999940, hash: '000000016236093f572ea8763b3869177de88af7973546a698af890892f367f0' },
    { height: 1099938, hash: '0000000132ff8041b594078eea64bb9e4982422f6f2f2ad64a961778e77f336d' },
    { height: 1199935, hash: '000000014e76ab19c236897eea8e8a9c36ccaf93fa95ac8c04b2005683a7871c' },
    { height: 1299931, hash: '000000019cf86423dae5791dd55cb8c829ee0d01c854a7b37b60e1e60aa8a27d' },
    { height: 1399924, hash: '00000000a2410bda797555a930cbe382dc716368e7f9a3ee2a7b68702e685fab' },
    { height: 1499920, hash: '0000000051f27f893a32d0cb9cefdabdebf3b539bfbb0e1ded30962cc4e99c0b' },
    { height: 1599912, hash: '0000000020d0f23fecbf43fbcaeaefdf40c4b37af2e7cb5574b24aca68c7d89d' },
    { height: 1699909, hash: '000000006b189a80864ca1c50a91c74d559b7aa21eb2b195af86a168a38ff2cb' },
    { height: 1799906, hash: '000000011ff34e5c43357210d843694bdc439c15c64001a7c716d54a78f5b859' },
    { height: 1899906, hash: '00000000e2ab10adfdce19edb2056e2c0f946e9b5c5f7d96d906002cacb3a4a5' },
    { height: 1999904, hash: '00000001547ed23c52dbe0092e4e5b8749add9ac6c57adb65a068fa7eb18b2f4' },
    { height: 2099904, hash: '00000000197f0a3dae6cc69bdf48784ad5b2b2408305e962d17cfca085461e12' },
    { height: 2199897, hash: '0000000035390b5df6ec3f73c5cedc4dec80332fcca544472a831b80a4156dbc' },
    { height: 2299889, hash: '000000007d392ad85c7f26cad3df8e596ed9af355a203d1f8e3148a24803db0c' },
    { height: 2399884, hash: '0000000005b0b444d3602772e9024111bf0755ff265f14247cec45919126c5b8' },
    { height: 2499877, hash: '000000001466519b75f99f5605e4773e95e8cd505ca53a3b00198d924e1299e6' },
    { height: 2599875, hash: '000000001337538f8949a42a990b29ea147a0675dbb5e787b143a6b489f73181' },
    { height: 2699873, hash: '000000005e57f0d0d4b11680895fa9a271732a7fbb1115dfdbff453a3500d8b1' },
    { height: 2799863, hash: '00000000a85071f74d829a74e8a112e87d360c3031dacbda60bdecd75e6707f0' },
    { height: 2899861, hash: '0000000098657a392c08b38d263f27e07bccb871d31db6234523b5ad4366508b' },
    { height: 2999840, hash: '00000000615b2e8f845725617c9dd5918908ed0f6ddee1db724bb82d7ecac750' },
    { height: 3099839, hash: '00000000b0d103f868c75c6c41dc6c51a7b870a41669fa4a7439dfbee5affa67' },
    { height: 3199837, hash: '000000009194906815f5da4a49b666d80f1c02502429657dde1b0cc24fdb5c38' },
    { height: 3299834, hash: '0000000013b608f3a1d54f3982a821740e71284a5d764256c0c8190ca57c4b41' },
    { height: 3399829, hash: '0000000032a670b9016ba8b0d928b3bd07a37c7b8a2203a27f0fac1ece8f21d5' },
    { height: 3499829, hash: '000000001983f76d0caea8e5d4274c4baf2580dae75388e88bb70c8e72ee585d' },
    { height: 3599829, hash: '000000002be75729f722a63d952c520623e5a153803f3550dbffb14c361ba85b' },
    { height: 3699819, hash: '0000000056ce0eb90b0072b497b9d10ab948e60d04afb046df12043e01c48169' },
    { height: 3799804, hash: '0000000021bde7352b4cb366c76b4a483354e297dd3bba069b9d9b72a17271f9' },
    { height: 3817031, hash: '00000000731ee33eecfb1a7ceb9de7f4576f95c724fc1ca3babce42c5c3c4171' },
  ],
}
