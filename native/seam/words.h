// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace antara::seam {

// clang-format off

static_assert(std::endian::native == std::endian::little, "words cross as they lie in memory");

/// A hash of the definition: src/engine refuses a build that was made from another.
inline constexpr std::uint32_t abi = 0x16edf223;

/// Where words in and out begin, after the outcome.
inline constexpr std::uint32_t result_base = 4;
/// Outcome: the answer is kept until there are as many words as the number says.
inline constexpr std::uint32_t needs_words = 0xffffffff;
/// Outcome: the caller's mistake that the number says.
inline constexpr std::uint32_t misused = 0xfffffffe;
/// Of a header's version.
inline constexpr std::uint32_t overwintered_flag = 0x80000000;
/// Of a script's digits: it is a scriptSig, of which only the asm is asked.
inline constexpr std::uint32_t script_sig_flag = 0x80000000;
/// Of a node's type: only its condition is known.
inline constexpr std::uint32_t bare_flag = 0x80000000;
/// The length of a node's part that is not there; also no number of elements.
inline constexpr std::uint32_t absent_length = 0xffffffff;
/// Of a script that pays no condition.
inline constexpr std::uint32_t form_none = 0;
/// How a tree is written: as its condition.
inline constexpr std::uint32_t form_condition = 1;
/// As what fulfills it.
inline constexpr std::uint32_t form_plain = 2;
/// As Tokel's scripts hold it, after an 'N'.
inline constexpr std::uint32_t form_mixed = 3;
/// The same after an 'M': the first threshold inside is its condition.
inline constexpr std::uint32_t form_mixed_hidden = 4;
/// Of a verdict: no signature has one, or they differ.
inline constexpr std::uint32_t no_hash_type = 0x100;
/// Where there is no limit.
inline constexpr std::uint32_t unlimited = 0xffffffff;
/// Detail of a transfer that failed at a token coin; 1 at a native one.
inline constexpr std::uint32_t errors_in_tokens = 0;
/// A longer source is refused unread.
inline constexpr std::uint32_t source_bytes_max = 4000000;
/// Fewer could not hold the outcome and the words of any call that have a fixed number.
inline constexpr std::uint32_t scratch_words_min = 64;

/// Mistakes of the caller, by the numbers under which they are told.
enum class Misuse : std::uint32_t {
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
  words_beyond_scratch = 10,  // the scratch does not hold what the call takes
  words_beyond_text = 11,  // the words do not describe the text
  unknown_condition_type = 12,  // the words hold no condition tree
  unknown_condition_form = 13,  // there is no such form of a condition tree
  unknown_condition_support = 14,  // unknown condition support
  coins_beyond_32_bits = 15,  // there are more coins than 32 bits can number
  sizes_unlike_values = 16,  // there are not as many sizes as values
  nothing_kept = 17,  // there is no answer to take
};

/// What became of a call.
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

/// Of a transaction.
struct InputWords {
  std::uint32_t prev_index = 0;
  std::uint32_t sequence = 0;
  std::uint32_t script_offset = 0;
  std::uint32_t script_length = 0;
};
static_assert(sizeof(InputWords) == 4 * 4);

/// Of a transaction.
struct OutputWords {
  std::int64_t value = 0;
  std::uint32_t script_offset = 0;
  std::uint32_t script_length = 0;
};
static_assert(sizeof(OutputWords) == 4 * 4);

/// Of a transaction; the rest is all bytes after the two amounts.
struct JoinSplitWords {
  std::int64_t vpub_old = 0;
  std::int64_t vpub_new = 0;
  std::uint32_t rest_offset = 0;
  std::uint32_t rest_length = 0;
};
static_assert(sizeof(JoinSplitWords) == 4 * 6);

/// How many bytes a transaction takes of those that were given.
struct LeadingWords {
  std::uint32_t bytes = 0;
};
static_assert(sizeof(LeadingWords) == 4 * 1);

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

/// What describing says of each script; its text is the asm, then the hashes it pays.
struct ScriptWords {
  std::uint32_t type = 0;
  std::uint32_t required_signatures = 0;
  std::uint32_t destinations = 0;
  std::uint32_t asm_length = 0;
};
static_assert(sizeof(ScriptWords) == 4 * 4);

/// Scripts to read; the digits of each follow, as of those to describe.
struct ConditionScriptsWords {
  std::uint32_t count = 0;
  std::uint32_t support = 0;
};
static_assert(sizeof(ConditionScriptsWords) == 4 * 2);

/// What a script holds that pays a condition: its condition, whose fingerprint is the next of the text; then follow nodes, what is pushed and dropped, and what the first of that pushes itself.
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

/// scriptSigs to read; the digits of each follow, as of scripts to describe.
struct ScriptSigsWords {
  std::uint32_t count = 0;
};
static_assert(sizeof(ScriptSigsWords) == 4 * 1);

/// Whether a scriptSig is one push of a fulfillment, and where that is; its nodes follow, none if it is not.
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

/// An opcode, and what it pushes.
struct StepWords {
  std::uint32_t opcode = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(StepWords) == 4 * 4);

/// What goes with a transaction to be signed or verified; previous outputs follow.
struct SigningWords {
  std::uint32_t hash_type = 0;
  std::uint32_t branch_id = 0;
  std::uint32_t has_branch_id = 0;
  std::uint32_t selector = 0;
  std::uint32_t prevouts = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(SigningWords) == 4 * 6);

/// An output that is spent; its script is the next part of the scripts' text.
struct PrevoutWords {
  std::int64_t value = 0;
  std::uint32_t script_digits = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(PrevoutWords) == 4 * 4);

/// On each input that was verified; the keys that signed are the next of the text.
struct VerdictWords {
  std::uint32_t code = 0;
  std::uint32_t script_type = 0;
  std::uint32_t hash_type = 0;
  std::uint32_t keys = 0;
  std::uint32_t fulfillment_offset = 0;
  std::uint32_t fulfillment_length = 0;
};
static_assert(sizeof(VerdictWords) == 4 * 6);

/// How hash, key and signature lie in one text.
struct SignatureWords {
  std::uint32_t key_bytes = 0;
  std::uint32_t is_der = 0;
};
static_assert(sizeof(SignatureWords) == 4 * 2);

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

/// By whose rules a condition is read.
struct ReadingWords {
  std::uint32_t as_daemon = 0;
};
static_assert(sizeof(ReadingWords) == 4 * 1);

/// In which form a fulfillment is read, and how strictly.
struct FulfillmentWords {
  std::uint32_t is_mixed = 0;
  std::uint32_t checks_keys = 0;
};
static_assert(sizeof(FulfillmentWords) == 4 * 2);

/// What a condition says.
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

/// Conditions inside conditions; each node follows, before its members.
struct TreeWords {
  std::uint32_t nodes = 0;
  std::uint32_t form = 0;
};
static_assert(sizeof(TreeWords) == 4 * 2);

/// One tree among many in one text.
struct EncodedWords {
  std::uint32_t digits = 0;
};
static_assert(sizeof(EncodedWords) == 4 * 1);

/// A condition of a tree; of one to be encoded tree-lists.ts writes the same. Second is a signature, or the parameter of an eval.
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

/// Of a payment or a transfer. Input bytes are those of coins that come without sizes.
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

/// The outcome of choosing coins; the ways that were compared follow, then what was picked.
struct SelectionWords {
  std::uint32_t failure = 0;
  std::uint32_t picked = 0;
  std::int64_t available = 0;
  std::uint32_t ways = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(SelectionWords) == 4 * 6);

/// To pay.
struct WayWords {
  std::uint32_t method = 0;
  std::uint32_t inputs = 0;
  std::int64_t bytes = 0;
  std::int64_t fee = 0;
  std::int64_t change = 0;
  std::int64_t waste = 0;
};
static_assert(sizeof(WayWords) == 4 * 10);

/// The outcome of choosing tokens and coins; steps follow, then what was picked: tokens, coins, and of each step.
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

/// Of coins that come without sizes of their own.
struct SizesWords {
  std::uint32_t input_bytes = 0;
};
static_assert(sizeof(SizesWords) == 4 * 1);

/// What an index of coins holds now.
struct HoldingWords {
  std::uint32_t size = 0;
  std::uint32_t first_id = 0;
  std::int64_t total = 0;
};
static_assert(sizeof(HoldingWords) == 4 * 4);

// clang-format on

}  // namespace antara::seam
