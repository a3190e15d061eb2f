// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace antara::seam {

// clang-format off

static_assert(std::endian::native == std::endian::little, "words cross in their memory layout");

/// The hash of the definition; src/engine refuses a build with another one.
inline constexpr std::uint32_t abi = 0x008fcad9;

/// Position of the first input word and answer word, after the outcome.
inline constexpr std::uint32_t result_base = 4;
/// Outcome: the answer is kept until the scratch has the number of words that follows.
inline constexpr std::uint32_t needs_words = 0xffffffff;
/// Outcome: the caller passed a wrong argument; the number that follows says which error.
inline constexpr std::uint32_t argument_error = 0xfffffffe;
/// Flag in a header's version.
inline constexpr std::uint32_t overwintered_flag = 0x80000000;
/// Flag in a script's digits: the script is a scriptSig, and only its asm is wanted.
inline constexpr std::uint32_t script_sig_flag = 0x80000000;
/// Flag in a node's type: only the condition of the node is known.
inline constexpr std::uint32_t bare_flag = 0x80000000;
/// Length of a node's part that is absent; also a number of elements that is absent.
inline constexpr std::uint32_t absent_length = 0xffffffff;
/// Form of a script that pays no condition.
inline constexpr std::uint32_t form_none = 0;
/// Form of a tree that is written as its condition.
inline constexpr std::uint32_t form_condition = 1;
/// Form of a tree that is written as its fulfillment.
inline constexpr std::uint32_t form_plain = 2;
/// Form of a tree that Tokel's scripts hold after an 'N'.
inline constexpr std::uint32_t form_mixed = 3;
/// Form of a tree that Tokel's scripts hold after an 'M': the first threshold inside is written as its condition.
inline constexpr std::uint32_t form_mixed_hidden = 4;
/// Form of an answer: the txid of the line's transaction.
inline constexpr std::uint32_t lines_txid = 0;
/// Form of an answer: the members of the line's transaction.
inline constexpr std::uint32_t lines_fields = 1;
/// No more lines are read once the text has this many characters: longer strings cost V8 new pages of memory, each time.
inline constexpr std::uint32_t lines_text_enough = 0x10000;
/// Hash type of a verdict whose signatures have none, or different ones.
inline constexpr std::uint32_t no_hash_type = 0x100;
/// Limit that nothing exceeds.
inline constexpr std::uint32_t unlimited = 0xffffffff;
/// Detail of a transfer that failed at a token coin; 1 stands for a native coin.
inline constexpr std::uint32_t errors_in_tokens = 0;
/// Longer sources are refused unread.
inline constexpr std::uint32_t source_bytes_max = 4000000;
/// Fewer words could not hold the outcome and the fixed words of every call.
inline constexpr std::uint32_t scratch_words_min = 64;

/// Errors in the arguments of a call, by number.
enum class ArgumentError : std::uint32_t {
  expected_source = 0,  // expected hex or a Uint8Array
  expected_hex = 1,  // expected hex
  expected_bytes = 2,  // expected a Uint8Array
  expected_values = 3,  // expected a BigInt64Array
  expected_numbers = 4,  // expected a Uint32Array
  expected_index = 5,  // expected an index of coins
  expected_job = 6,  // expected a verification
  memory_shared = 7,  // memory shared between threads is not accepted
  memory_detached = 8,  // the array's memory is detached
  memory_misaligned = 9,  // the array's memory is not aligned to its elements
  words_beyond_scratch = 10,  // the scratch is too small for the words of the call
  words_beyond_text = 11,  // the words do not describe the text
  unknown_condition_type = 12,  // the words hold no condition tree
  unknown_condition_form = 13,  // unknown form of a condition tree
  unknown_condition_support = 14,  // unknown condition support
  coins_beyond_32_bits = 15,  // more coins than 32 bits can number
  sizes_unlike_values = 16,  // expected one size for each value
  expected_32_bytes = 17,  // expected 32 bytes
  keys_stay_outside = 18,  // private keys do not enter WebAssembly
  unknown_equihash = 19,  // unknown parameters of Equihash
  unknown_lines = 20,  // unknown form of answers to lines
  unknown_recovery = 21,  // expected a number from 0 to 3
  nothing_kept = 22,  // no answer was kept
};

/// The outcome of a call.
struct OutcomeWords {
  std::uint32_t code = 0;
  std::uint32_t number = 0;
  std::uint32_t detail = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(OutcomeWords) == 4 * 4);

/// A transaction; its inputs, outputs and JoinSplits follow.
struct HeaderWords {
  std::uint32_t version = 0;
  std::uint32_t group_id = 0;
  std::uint32_t lock_time = 0;
  std::uint32_t expiry_height = 0;
  std::int64_t value_balance = 0;
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  std::uint32_t join_splits = 0;
  std::uint32_t spends = 0;
  std::uint32_t spends_offset = 0;
  std::uint32_t shielded_outputs = 0;
  std::uint32_t shielded_outputs_offset = 0;
  std::uint32_t join_split_key_offset = 0;
  std::uint32_t binding_sig_offset = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(HeaderWords) == 4 * 16);

/// An input of a transaction.
struct InputWords {
  std::uint32_t prev_index = 0;
  std::uint32_t sequence = 0;
  std::uint32_t script_offset = 0;
  std::uint32_t script_length = 0;
};
static_assert(sizeof(InputWords) == 4 * 4);

/// An output of a transaction.
struct OutputWords {
  std::int64_t value = 0;
  std::uint32_t script_offset = 0;
  std::uint32_t script_length = 0;
};
static_assert(sizeof(OutputWords) == 4 * 4);

/// A JoinSplit of a transaction; the rest is all bytes after the two amounts.
struct JoinSplitWords {
  std::int64_t vpub_old = 0;
  std::int64_t vpub_new = 0;
  std::uint32_t rest_offset = 0;
  std::uint32_t rest_length = 0;
};
static_assert(sizeof(JoinSplitWords) == 4 * 6);

/// The length of the transaction that a source starts with, in bytes.
struct LeadingWords {
  std::uint32_t bytes = 0;
};
static_assert(sizeof(LeadingWords) == 4 * 1);

/// How many headers to read, 0 for all, and how their proof of work is checked, n 0 for not at all.
struct BlockReadingWords {
  std::uint32_t count_max = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  std::uint32_t leaves = 0;
};
static_assert(sizeof(BlockReadingWords) == 4 * 4);

/// Headers that were read, and the bytes they have together; each header follows.
struct BlockHeadersWords {
  std::uint32_t count = 0;
  std::uint32_t bytes = 0;
};
static_assert(sizeof(BlockHeadersWords) == 4 * 2);

/// The header of a block. Its text is the hash, the previous hash, the two roots and the nonce, in display order, and the solution.
struct BlockHeaderWords {
  std::uint32_t version = 0;
  std::uint32_t time = 0;
  std::uint32_t bits = 0;
  std::uint32_t length = 0;
  std::uint32_t solution_length = 0;
  std::uint32_t equihash = 0;
};
static_assert(sizeof(BlockHeaderWords) == 4 * 6);

/// The number of transactions that follow each other.
struct CountedTransactionsWords {
  std::uint32_t count = 0;
};
static_assert(sizeof(CountedTransactionsWords) == 4 * 1);

/// The length of one transaction, in bytes.
struct SplitTransactionWords {
  std::uint32_t bytes = 0;
};
static_assert(sizeof(SplitTransactionWords) == 4 * 1);

/// The form of the answers to lines, one of those below.
struct LinesWords {
  std::uint32_t form = 0;
};
static_assert(sizeof(LinesWords) == 4 * 1);

/// The bytes that were read, whole lines, and the number of lines without an answer; each of these follows.
struct AnsweredLinesWords {
  std::uint32_t bytes = 0;
  std::uint32_t count = 0;
  std::uint32_t left = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(AnsweredLinesWords) == 4 * 4);

/// A line without an answer: its place in the bytes, and the place in the text where its answer belongs.
struct LeftLineWords {
  std::uint32_t start = 0;
  std::uint32_t length = 0;
  std::uint32_t position = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(LeftLineWords) == 4 * 4);

/// Scripts to describe; the digits of each follow, a word each.
struct ScriptsWords {
  std::uint32_t count = 0;
  std::uint32_t support = 0;
  std::uint32_t shows_hash_types = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(ScriptsWords) == 4 * 4);

/// One script among many in one text.
struct ScriptTextWords {
  std::uint32_t digits = 0;
};
static_assert(sizeof(ScriptTextWords) == 4 * 1);

/// The description of one script; its text is the asm, then the hashes it pays.
struct ScriptWords {
  std::uint32_t type = 0;
  std::uint32_t required_signatures = 0;
  std::uint32_t destinations = 0;
  std::uint32_t asm_length = 0;
};
static_assert(sizeof(ScriptWords) == 4 * 4);

/// Scripts to read; the digits of each follow, a word each.
struct ConditionScriptsWords {
  std::uint32_t count = 0;
  std::uint32_t support = 0;
};
static_assert(sizeof(ConditionScriptsWords) == 4 * 2);

/// The condition that a script pays; its fingerprint is next in the text. Its nodes follow, then the data that the script pushes and drops, then the elements that the first of these data pushes.
struct ConditionScriptWords {
  std::uint64_t cost = 0;
  std::uint32_t form = 0;
  std::uint32_t type = 0;
  std::uint32_t subtypes = 0;
  std::uint32_t canonical = 0;
  std::uint32_t nodes = 0;
  std::uint32_t dropped = 0;
  std::uint32_t elements = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(ConditionScriptWords) == 4 * 10);

/// scriptSigs to read; the digits of each follow, a word each.
struct ScriptSigsWords {
  std::uint32_t count = 0;
};
static_assert(sizeof(ScriptSigsWords) == 4 * 1);

/// The fulfillment that a scriptSig pushes, and its place; its nodes follow, none if there is no fulfillment.
struct ScriptSigWords {
  std::uint32_t nodes = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t hash_type = 0;
};
static_assert(sizeof(ScriptSigWords) == 4 * 4);

/// A script; its steps follow.
struct StepsWords {
  std::uint32_t count = 0;
};
static_assert(sizeof(StepsWords) == 4 * 1);

/// An opcode and the data that it pushes.
struct StepWords {
  std::uint32_t opcode = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(StepWords) == 4 * 4);

/// The terms under which a transaction is signed or verified; previous outputs follow.
struct SigningWords {
  std::uint32_t hash_type = 0;
  std::uint32_t branch_id = 0;
  std::uint32_t has_branch_id = 0;
  std::uint32_t selector = 0;
  std::uint32_t prevouts = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(SigningWords) == 4 * 6);

/// An output that is spent; its script is next in the scripts' text.
struct PrevoutWords {
  std::int64_t value = 0;
  std::uint32_t script_digits = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(PrevoutWords) == 4 * 4);

/// The verdict on one input; the keys that signed it are next in the text.
struct VerdictWords {
  std::uint32_t code = 0;
  std::uint32_t script_type = 0;
  std::uint32_t hash_type = 0;
  std::uint32_t keys = 0;
  std::uint32_t fulfillment_offset = 0;
  std::uint32_t fulfillment_length = 0;
};
static_assert(sizeof(VerdictWords) == 4 * 6);

/// The layout of hash, key and signature in one text.
struct SignatureWords {
  std::uint32_t key_bytes = 0;
  std::uint32_t is_der = 0;
};
static_assert(sizeof(SignatureWords) == 4 * 2);

/// The number of the key among up to four with which a signature verifies: 0 to 3.
struct RecoveryWords {
  std::uint32_t number = 0;
};
static_assert(sizeof(RecoveryWords) == 4 * 1);

/// The number of the error that a signature has, or 0.
struct FindingWords {
  std::uint32_t code = 0;
};
static_assert(sizeof(FindingWords) == 4 * 1);

/// The number of the error that a key has, or 0.
struct PublicKeyWords {
  std::uint32_t code = 0;
};
static_assert(sizeof(PublicKeyWords) == 4 * 1);

/// The rules by which a condition is read.
struct ReadingWords {
  std::uint32_t as_daemon = 0;
};
static_assert(sizeof(ReadingWords) == 4 * 1);

/// The form in which a fulfillment is read, and how strictly.
struct FulfillmentWords {
  std::uint32_t is_mixed = 0;
  std::uint32_t checks_keys = 0;
};
static_assert(sizeof(FulfillmentWords) == 4 * 2);

/// The contents of a condition.
struct ConditionWords {
  std::uint64_t cost = 0;
  std::uint32_t type = 0;
  std::uint32_t subtypes = 0;
  std::uint32_t canonical = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(ConditionWords) == 4 * 6);

/// Trees to encode; each of them follows.
struct TreesWords {
  std::uint32_t count = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(TreesWords) == 4 * 2);

/// A tree of conditions; its nodes follow, each before its members.
struct TreeWords {
  std::uint32_t nodes = 0;
  std::uint32_t form = 0;
};
static_assert(sizeof(TreeWords) == 4 * 2);

/// One encoded tree among many in one text.
struct EncodedWords {
  std::uint32_t digits = 0;
};
static_assert(sizeof(EncodedWords) == 4 * 1);

/// A condition of a tree; tree-lists.ts writes the same for a tree to encode. Second is a signature, or the parameter of an eval.
struct NodeWords {
  std::uint64_t number = 0;
  std::uint32_t type = 0;
  std::uint32_t threshold = 0;
  std::uint32_t members = 0;
  std::uint32_t subtypes = 0;
  std::uint32_t value_offset = 0;
  std::uint32_t value_length = 0;
  std::uint32_t key_hash_offset = 0;
  std::uint32_t key_hash_length = 0;
  std::uint32_t second_offset = 0;
  std::uint32_t second_length = 0;
};
static_assert(sizeof(NodeWords) == 4 * 12);

/// The terms of a payment or a transfer. Input bytes apply to coins without sizes of their own.
struct TermsWords {
  std::int64_t target = 0;
  std::int64_t fee_rate = 0;
  std::int64_t long_term_rate = 0;
  std::int64_t fixed_fee = 0;
  std::int64_t change_spend = 0;
  std::int64_t change_min = 0;
  std::uint32_t base_bytes = 0;
  std::uint32_t change_bytes = 0;
  std::uint32_t fee_is_fixed = 0;
  std::uint32_t inputs_max = 0;
  std::uint32_t bytes_max = 0;
  std::uint32_t input_bytes = 0;
  std::uint32_t token_input_bytes = 0;
  std::uint32_t token_change_bytes = 0;
  std::uint32_t token_inputs_max = 0;
  std::uint32_t sweep = 0;
};
static_assert(sizeof(TermsWords) == 4 * 22);

/// The outcome of choosing coins; the ways that were compared follow, then the picked coins.
struct SelectionWords {
  std::uint32_t failure = 0;
  std::uint32_t picked = 0;
  std::int64_t available = 0;
  std::uint32_t ways = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(SelectionWords) == 4 * 6);

/// One way to pay that was compared.
struct WayWords {
  std::uint32_t method = 0;
  std::uint32_t inputs = 0;
  std::int64_t bytes = 0;
  std::int64_t fee = 0;
  std::int64_t change = 0;
  std::int64_t waste = 0;
};
static_assert(sizeof(WayWords) == 4 * 10);

/// The outcome of choosing tokens and coins; steps follow, then the picked tokens, the picked coins, and the tokens of each step.
struct TransferWords {
  std::uint32_t failure = 0;
  std::uint32_t tokens = 0;
  std::int64_t available = 0;
  std::uint32_t coins = 0;
  std::uint32_t steps = 0;
  std::int64_t token_change = 0;
  std::int64_t change = 0;
  std::int64_t fee = 0;
  std::int64_t bytes = 0;
};
static_assert(sizeof(TransferWords) == 4 * 14);

/// A transaction that merges tokens first.
struct PlanStepWords {
  std::uint32_t tokens = 0;
  std::uint32_t steps = 0;
  std::int64_t amount = 0;
  std::int64_t bytes = 0;
  std::int64_t fee = 0;
};
static_assert(sizeof(PlanStepWords) == 4 * 8);

/// The size of coins without sizes of their own.
struct SizesWords {
  std::uint32_t input_bytes = 0;
};
static_assert(sizeof(SizesWords) == 4 * 1);

/// The contents of an index of coins.
struct HoldingWords {
  std::uint32_t size = 0;
  std::uint32_t first_id = 0;
  std::int64_t total = 0;
};
static_assert(sizeof(HoldingWords) == 4 * 4);

// clang-format on

}  // namespace antara::seam
