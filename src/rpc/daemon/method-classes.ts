// The class of every method of komodod and tokeld: the recorded answers of `help`, and the command
// tables of their sources. A guard decides by it what it may pass on.

/**
 * Classes of methods:
 *
 * - `read`           moves no coins, reveals no secret and changes no settings; new addresses count
 * - `build`          returns a transaction that the daemon signed, or part of one
 * - `send`           broadcasts a transaction that the caller has
 * - `build-and-send` spends coins in one call
 * - `secret`         takes or returns private keys or passphrases, or signs texts with a key
 * - `administration` changes the daemon, its peers, its wallet's settings or its mining
 * - `unknown`        is in no table
 */
export type MethodClass =
  | 'read'
  | 'build'
  | 'send'
  | 'build-and-send'
  | 'secret'
  | 'administration'
  | 'unknown'

/** Returns the class of a method. Names are case-sensitive, as they are for the daemon. */
export function classOfMethod(method: string): MethodClass {
  return classes.get(method) ?? 'unknown'
}

export function classedMethods(): readonly string[] {
  return [...classes.keys()]
}

/** Names of methods by class, with blanks between them. */
export type NamesByClass = Readonly<Record<Exclude<MethodClass, 'unknown'>, string>>

const names: NamesByClass = {
  read: `
    help getinfo uptime getconnectioncount getpeerinfo getnettotals getnetworkinfo getaddednodeinfo
    getdeprecationinfo listbanned ping getwspeers geterablockheights getnotarysendmany
    getbestblockhash getblock getblockchaininfo getblockcount getblockdeltas getblockhash
    getblockhashes getblockheader getchaintips getchaintxstats getdifficulty getlastsegidstakes
    getmempoolinfo getrawmempool getspentinfo gettxout gettxoutproof gettxoutsetinfo coinsupply
    verifytxoutproof z_gettreestate minerids notaries kvsearch paxpending paxprice paxprices
    getblocksubsidy getlocalsolps getmininginfo getnetworkhashps getnetworksolps getgenerate
    checknotarization getaddressbalance getaddressdeltas getaddressmempool getaddresstxids
    getaddressutxos getnotarypayinfo getsnapshot txnotarizedconfirmed decodeccopret
    createmultisig estimatefee estimatepriority validateaddress verifymessage z_validateaddress
    createrawtransaction decoderawtransaction decodescript fundrawtransaction getrawtransaction
    testmempoolaccept gettransactionsmany searchforpubkey listccunspents getindexkeyforcc
    getaccount getaccountaddress getaddressesbyaccount getbalance getbalance64 getnewaddress getnewaddress64
    getrawchangeaddress getreceivedbyaccount getreceivedbyaddress gettransaction
    getunconfirmedbalance getwalletinfo listaccounts listaddressgroupings listlockunspent
    listreceivedbyaccount listreceivedbyaddress listsinceblock listtransactions listunspent
    z_getbalance z_getnewaddress z_getoperationresult z_getoperationstatus z_gettotalbalance
    z_listaddresses z_listoperationids z_listreceivedbyaddress z_listunspent z_viewtransaction
    z_validatepaymentdisclosure
    assetsaddress assetsindexkey assetsv2address assetsv2indexkey mytokenorders mytokenv2orders
    tokenaddress tokenallbalances tokenbalance tokenindexkey tokeninfo tokeninfotokel tokenlist
    tokenorders tokenv2address tokenv2allbalances tokenv2balance tokenv2indexkey tokenv2info
    tokenv2infotokel tokenv2list tokenv2orders
    MoMoMdata assetchainproof calc_MoM crosschainproof getNotarisationsForBlock getimports
    getwalletburntransactions height_MoM txMoMproof scanNotarisationsDB migrate_checkburntransactionsource
    FSMaddress FSMinfo FSMlist auctionaddress cclibaddress cclibinfo channelsaddress channelsinfo
    channelslist diceaddress diceinfo dicelist faucetaddress faucetinfo gatewaysaddress
    gatewaysexternaladdress gatewaysinfo gatewayslist gatewayspendingdeposits
    gatewayspendingwithdraws gatewaysprocessed heiraddress heirinfo heirlist importgatewayaddress
    importgatewayddress importgatewayexternaladdress importgatewayinfo
    importgatewaypendingsignwithdraws importgatewaypendingwithdraws importgatewayprocessed
    importgatewaysignedwithdraws lottoaddress mypriceslist oraclesaddress oraclesinfo oracleslist
    oraclessample oraclessamples paymentsaddress paymentsinfo paymentslist pegsaccounthistory
    pegsaccountinfo pegsaddress pegsinfo pegsworstaccounts prices pricesaddress
    pricesgetorderbook pricesinfo priceslist rewardsaddress rewardsinfo rewardslist
    nspv_getinfo nspv_hdrsproof nspv_listccmoduleunspent nspv_listtransactions nspv_listunspent
    nspv_mempool nspv_notarizations nspv_spentinfo nspv_txproof`,
  build: `
    tokencreate tokentransfer tokenask tokenbid tokenfillask tokenfillbid tokencancelask
    tokencancelbid tokenswapask tokenfillswap tokenconvert tokenburn tokencreatetokel tokentransfermany
    tokenv2create tokenv2createtokel tokenv2transfer tokenv2transfermany tokenv2transferMofN
    tokenv2burn tokenv2ask tokenv2bid tokenv2fillask tokenv2fillbid tokenv2cancelask
    tokenv2cancelbid tokenv2addccinputs addccv2signature createccevaltx createtxwithnormalinputs
    faucetaddccinputs signrawtransaction zcrawjoinsplit zcsamplejoinsplit
    migrate_completeimporttransaction migrate_converttoexport migrate_createburntransaction
    migrate_createimporttransaction migrate_createnotaryapprovaltransaction selfimport importdual
    FSMcreate channelsclose channelsopen channelspayment channelsrefund
    diceaddfunds dicebet dicefinish dicefund dicestatus faucetfund faucetget
    gatewaysbind gatewaysclaim gatewayscompletesigning gatewaysdeposit gatewaysmarkdone
    gatewayspartialsign gatewayswithdraw heiradd heiraddtokens heirclaim heirclaimtokens heirfund heirfundtokens
    importgatewaybind importgatewaycompletesigning importgatewaydeposit importgatewaymarkdone
    importgatewaypartialsign importgatewayspartialsign importgatewaywithdraw
    importgatewaywithdrawsign oraclescreate oraclesdata oraclesfund oraclesregister
    oraclessubscribe payments_airdroptokens paymentsairdrop paymentsairdroptokens paymentscreate
    paymentsfund paymentsmerge paymentsrelease paymentstxidopret pegscreate pegsexchange pegsfund
    pegsget pegsliquidate pegsredeem pricesaddfunding pricesbet pricescashout pricesrefillfund
    pricesrekt pricessetcostbasis rewardsaddfunding rewardscreatefunding rewardslock
    rewardsunlock`,
  send: 'sendrawtransaction',
  'build-and-send': `
    sendtoaddress sendmany sendfrom z_sendmany z_mergetoaddress z_shieldcoinbase kvupdate
    opreturn_burn jumblr_deposit nspv_broadcast nspv_spend`,
  secret: `
    dumpprivkey dumpwallet importprivkey importwallet backupwallet encryptwallet
    walletpassphrase walletpassphrasechange convertpassphrase signmessage
    z_exportkey z_exportviewingkey z_exportwallet z_importkey z_importviewingkey z_importwallet
    z_getpaymentdisclosure zcrawkeygen zcrawreceive gatewaysdumpprivkey importgatewaydumpprivkey
    jumblr_secret nspv_login nspv_logout`,
  administration: `
    stop getiguanajson addnode clearbanned disconnectnode setban invalidateblock reconsiderblock
    setmocktime verifychain generate genminingCSV setgenerate getblocktemplate submitblock
    prioritisetransaction addmultisigaddress cleanwallettransactions importaddress keypoolrefill
    lockunspent move resendwallettransactions setaccount setpubkey setstakingsplit settxfee
    walletlock zcbenchmark cclib jumblr_pause jumblr_resume printaddrman printwsaddrman
    DEX_anonsend DEX_broadcast DEX_cancel DEX_get DEX_list DEX_notarize DEX_orderbook DEX_publish
    DEX_setpubkey DEX_stats DEX_stream DEX_streamsub DEX_subscribe`,
}

const classes = classesOf(names)

export function classesOf(byClass: NamesByClass): ReadonlyMap<string, MethodClass> {
  const rows = Object.entries(byClass) as [MethodClass, string][]
  return new Map(rows.flatMap(([it, list]) => wordsOf(list).map((name) => [name, it] as const)))
}

export function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/)
}
