#include "tx/sighash.h"

#include <algorithm>
#include <cstring>

#include "base/limits.h"

namespace antara {
namespace {

// ZIP 143 and ZIP 243, "Specification".
constexpr Personalization prevouts_personalization = personalization("ZcashPrevoutHash");
constexpr Personalization sequences_personalization = personalization("ZcashSequencHash");
constexpr Personalization outputs_personalization = personalization("ZcashOutputsHash");
constexpr Personalization join_splits_personalization = personalization("ZcashJSplitsHash");
constexpr Personalization shielded_spends_personalization = personalization("ZcashSSpendsHash");
constexpr Personalization shielded_outputs_personalization = personalization("ZcashSOutputHash");

/// A spend without its last part, the signature.
constexpr std::size_t shielded_spend_signed_bytes = shielded_spend_bytes - 64;

constexpr std::array<std::uint8_t, 64> absent_join_split_sig{};

/// A TxOut that was never set: value -1, no script. komodo src/primitives/transaction.h, SetNull
constexpr std::array<std::uint8_t, 9> null_output{0xff, 0xff, 0xff, 0xff, 0xff,
                                                  0xff, 0xff, 0xff, 0};

/// Contains "ZcashSigHash" and the branch, so that no signature is valid on two branches.
Personalization signature_personalization(std::uint32_t branch_id) noexcept {
  Personalization result = personalization("ZcashSigHash");
  std::memcpy(result.data() + 12, &branch_id, sizeof branch_id);
  return result;
}

std::uint32_t base_of(std::uint32_t hash_type) noexcept { return hash_type & sighash_base_mask; }

bool is_none_or_single(std::uint32_t hash_type) noexcept {
  return base_of(hash_type) == sighash_none || base_of(hash_type) == sighash_single;
}

bool anyone_can_pay(std::uint32_t hash_type) noexcept {
  return (hash_type & sighash_anyone_can_pay) != 0;
}

/// Little-endian fields in a small buffer of their own.
template <std::size_t capacity>
class Fields {
 public:
  template <typename Integer>
  Fields& add(Integer value) noexcept {
    std::memcpy(bytes_.data() + size_, &value, sizeof value);
    size_ += sizeof value;
    return *this;
  }

  /// source: komodo src/serialize.h, WriteCompactSize; no count here comes near 2^32
  Fields& add_compact_size(std::size_t value) noexcept {
    if (value < 0xfd) return add(static_cast<std::uint8_t>(value));
    if (value <= 0xffff) return add(std::uint8_t{0xfd}).add(static_cast<std::uint16_t>(value));
    return add(std::uint8_t{0xfe}).add(static_cast<std::uint32_t>(value));
  }

  [[nodiscard]] Bytes view() const noexcept { return Bytes{bytes_}.first(size_); }

 private:
  std::array<std::uint8_t, capacity> bytes_;
  std::size_t size_ = 0;
};

}  // namespace

SignatureHasher::SignatureHasher(Bytes raw, const TxLayout& layout,
                                 std::uint32_t branch_id) noexcept
    : raw_(raw), layout_(layout), personalization_(signature_personalization(branch_id)) {}

Result<Hash256> SignatureHasher::hash(const SignedInput& input, std::uint32_t hash_type) {
  if (const Error error = check(input, hash_type); error.failed()) return error;
  return layout_.overwintered ? hash_overwintered(input, hash_type) : hash_legacy(input, hash_type);
}

Error SignatureHasher::append_preimage(const SignedInput& input, std::uint32_t hash_type,
                                       std::vector<std::uint8_t>& output) {
  if (const Error error = check(input, hash_type); error.failed()) return error;
  const auto append = [&output](Bytes part) {
    output.insert(output.end(), part.begin(), part.end());
  };
  if (layout_.overwintered) {
    append(beginning(input.index, hash_type).view());
    visit_spent_output(input, append);
    return {};
  }
  visit_legacy_start(hash_type, append);
  if (!anyone_can_pay(hash_type)) {
    const Bytes blanks = blank_inputs(!is_none_or_single(hash_type));
    append(
        blanks.first(std::min<std::size_t>(input.index, layout_.inputs.size()) * input_bytes_min));
  }
  visit_legacy_rest(input, hash_type, append);
  return {};
}

Error SignatureHasher::check(const SignedInput& input, std::uint32_t hash_type) const noexcept {
  if (input.index != not_an_input && input.index >= layout_.inputs.size()) {
    return {ErrorCode::input_index_out_of_range, input.index};
  }
  if (layout_.overwintered) return {};
  // Hashing everything for each input is affordable only for sizes that a chain could accept.
  if (raw_.size() > transaction_bytes_max) {
    return {ErrorCode::transaction_over_limit, transaction_bytes_max};
  }
  if (input.index == not_an_input && anyone_can_pay(hash_type)) {
    return {ErrorCode::input_index_out_of_range, input.index};
  }
  if (base_of(hash_type) == sighash_single && input.index >= layout_.outputs.size()) {
    return {ErrorCode::single_without_output, 0};
  }
  return {};
}

Error SignatureHasher::hash_each(std::span<const SignedInput> inputs, std::uint32_t hash_type,
                                 std::vector<Hash256>& hashes) {
  hashes.reserve(hashes.size() + inputs.size());
  if (!layout_.overwintered || base_of(hash_type) == sighash_single || inputs.empty()) {
    for (const SignedInput& input : inputs) {
      const Result<Hash256> one = hash(input, hash_type);
      if (!one.ok()) return one.error();
      hashes.push_back(one.value());
    }
    return {};
  }
  // The parts of preimages that inputs do not share, one after another.
  std::vector<std::uint8_t> spent;
  std::vector<std::size_t> ends;
  ends.reserve(inputs.size());
  Error error;
  for (const SignedInput& input : inputs) {
    error = check(input, hash_type);
    if (error.failed()) break;
    visit_spent_output(
        input, [&spent](Bytes part) { spent.insert(spent.end(), part.begin(), part.end()); });
    ends.push_back(spent.size());
  }
  std::vector<Bytes> rests;
  rests.reserve(ends.size());
  std::size_t start = 0;
  for (const std::size_t end : ends) {
    rests.push_back(Bytes{spent}.subspan(start, end - start));
    start = end;
  }
  prepare_shared(not_an_input, hash_type);
  const std::size_t before = hashes.size();
  hashes.resize(before + rests.size());
  shared_.finish_each(rests, std::span{hashes}.subspan(before));
  return error;
}

void SignatureHasher::prepare_shared(std::uint32_t index, std::uint32_t hash_type) {
  // With SINGLE the beginning names one output, so inputs do not share it.
  const bool is_shared = base_of(hash_type) != sighash_single;
  if (is_shared && shared_hash_type_ == hash_type) return;
  shared_ = Blake2b256(personalization_).add(beginning(index, hash_type).view());
  shared_hash_type_ = hash_type;
  if (!is_shared) shared_hash_type_.reset();
}

Hash256 SignatureHasher::hash_overwintered(const SignedInput& input, std::uint32_t hash_type) {
  prepare_shared(input.index, hash_type);
  Blake2b256 hash = shared_;
  visit_spent_output(input, [&hash](Bytes part) { hash.add(part); });
  return hash.finish();
}

SignatureHasher::Beginning SignatureHasher::beginning(std::uint32_t index,
                                                      std::uint32_t hash_type) {
  Fields<sizeof(Beginning::bytes)> fields;
  fields.add(layout_.version | overwintered_flag)
      .add(layout_.version_group_id)
      .add(prevouts_hash(hash_type))
      .add(sequences_hash(hash_type))
      .add(outputs_hash(index, hash_type))
      .add(join_splits_hash());
  if (layout_.is_sapling()) fields.add(shielded_spends_hash()).add(shielded_outputs_hash());
  fields.add(layout_.lock_time).add(layout_.expiry_height);
  if (layout_.is_sapling()) fields.add(layout_.value_balance_sats);
  fields.add(hash_type);

  Beginning result;
  result.size = fields.view().size();
  std::memcpy(result.bytes.data(), fields.view().data(), result.size);
  return result;
}

Hash256 SignatureHasher::prevouts_hash(std::uint32_t hash_type) {
  if (anyone_can_pay(hash_type)) return {};
  if (!prevouts_) {
    Blake2b256 hash(prevouts_personalization);
    for (std::size_t index = 0; index < layout_.inputs.size(); ++index) hash.add(outpoint(index));
    prevouts_ = hash.finish();
  }
  return *prevouts_;
}

Hash256 SignatureHasher::sequences_hash(std::uint32_t hash_type) {
  if (anyone_can_pay(hash_type) || is_none_or_single(hash_type)) return {};
  if (!sequences_) {
    Blake2b256 hash(sequences_personalization);
    for (const TxInput& input : layout_.inputs) {
      hash.add(Fields<4>().add(input.sequence).view());
    }
    sequences_ = hash.finish();
  }
  return *sequences_;
}

Hash256 SignatureHasher::outputs_hash(std::uint32_t index, std::uint32_t hash_type) {
  if (base_of(hash_type) == sighash_none) return {};
  if (base_of(hash_type) == sighash_single) {
    if (index >= layout_.outputs.size()) return {};
    return blake2b256(bytes_of(raw_, output_slice(index)), outputs_personalization);
  }
  if (!outputs_) outputs_ = blake2b256(all_outputs(), outputs_personalization);
  return *outputs_;
}

Hash256 SignatureHasher::join_splits_hash() {
  if (layout_.join_splits.empty()) return {};
  if (!join_splits_) {
    join_splits_ = Blake2b256(join_splits_personalization)
                       .add(all_join_splits())
                       .add(bytes_of(raw_, layout_.join_split_pub_key))
                       .finish();
  }
  return *join_splits_;
}

Hash256 SignatureHasher::shielded_spends_hash() {
  const Bytes spends = bytes_of(raw_, layout_.shielded_spends);
  if (spends.empty()) return {};
  if (!shielded_spends_) {
    Blake2b256 hash(shielded_spends_personalization);
    for (std::size_t start = 0; start < spends.size(); start += shielded_spend_bytes) {
      hash.add(spends.subspan(start, shielded_spend_signed_bytes));
    }
    shielded_spends_ = hash.finish();
  }
  return *shielded_spends_;
}

Hash256 SignatureHasher::shielded_outputs_hash() {
  const Bytes outputs = bytes_of(raw_, layout_.shielded_outputs);
  if (outputs.empty()) return {};
  if (!shielded_outputs_) {
    shielded_outputs_ = blake2b256(outputs, shielded_outputs_personalization);
  }
  return *shielded_outputs_;
}

/// ZIP 143 item 10: the output that the input spends, and the input's own sequence.
template <typename Visit>
void SignatureHasher::visit_spent_output(const SignedInput& input, Visit visit) const {
  if (input.index == not_an_input) return;
  visit(outpoint(input.index));
  visit(Fields<5>().add_compact_size(input.script_code.size()).view());
  visit(input.script_code);
  visit(Fields<12>().add(input.value_sats).add(layout_.inputs[input.index].sequence).view());
}

Hash256 SignatureHasher::hash_legacy(const SignedInput& input, std::uint32_t hash_type) {
  Sha256 hash;
  const auto add_to_hash = [&hash](Bytes part) { hash.add(part); };
  if (anyone_can_pay(hash_type)) {
    visit_legacy_start(hash_type, add_to_hash);
  } else {
    const std::size_t before = std::min<std::size_t>(input.index, layout_.inputs.size());
    const bool keeps_sequences = !is_none_or_single(hash_type);
    const bool continues = legacy_has_shared_ && blank_keeps_sequences_ == keeps_sequences &&
                           legacy_shared_inputs_ <= before;
    const Bytes blanks = blank_inputs(keeps_sequences);
    if (!continues) {
      legacy_shared_ = Sha256();
      legacy_shared_inputs_ = 0;
      legacy_has_shared_ = true;
      visit_legacy_start(hash_type, [this](Bytes part) { legacy_shared_.add(part); });
    }
    legacy_shared_.add(blanks.subspan(legacy_shared_inputs_ * input_bytes_min,
                                      (before - legacy_shared_inputs_) * input_bytes_min));
    legacy_shared_inputs_ = before;
    hash = legacy_shared_;
  }
  visit_legacy_rest(input, hash_type, add_to_hash);
  return sha256(hash.finish());
}

Bytes SignatureHasher::blank_inputs(bool keeps_sequences) {
  if (blank_keeps_sequences_ == keeps_sequences) return blank_inputs_;
  // The hashed beginning has the other blank inputs, so it cannot be continued with these.
  legacy_has_shared_ = false;
  blank_keeps_sequences_ = keeps_sequences;
  blank_inputs_.assign(layout_.inputs.size() * input_bytes_min, 0);
  std::uint8_t* blank = blank_inputs_.data();
  for (std::size_t index = 0; index < layout_.inputs.size(); ++index) {
    const Bytes spent = outpoint(index);
    std::copy(spent.begin(), spent.end(), blank);
    if (keeps_sequences) {
      std::memcpy(blank + spent.size() + 1, &layout_.inputs[index].sequence, 4);
    }
    blank += input_bytes_min;
  }
  return blank_inputs_;
}

/// Version and number of inputs.
template <typename Visit>
void SignatureHasher::visit_legacy_start(std::uint32_t hash_type, Visit visit) const {
  const std::size_t inputs = anyone_can_pay(hash_type) ? 1 : layout_.inputs.size();
  visit(Fields<9>().add(layout_.version).add_compact_size(inputs).view());
}

/// The signed input, the blank ones after it, and everything that follows the inputs.
template <typename Visit>
void SignatureHasher::visit_legacy_rest(const SignedInput& input, std::uint32_t hash_type,
                                        Visit visit) {
  if (input.index != not_an_input) {
    visit(outpoint(input.index));
    visit(Fields<5>().add_compact_size(input.script_code.size()).view());
    visit(input.script_code);
    visit(Fields<4>().add(layout_.inputs[input.index].sequence).view());
    if (!anyone_can_pay(hash_type)) {
      visit(blank_inputs(!is_none_or_single(hash_type))
                .subspan((input.index + std::size_t{1}) * input_bytes_min));
    }
  }
  if (base_of(hash_type) == sighash_none) {
    visit(Fields<1>().add_compact_size(0).view());
  } else if (base_of(hash_type) == sighash_single) {
    visit(Fields<5>().add_compact_size(input.index + std::size_t{1}).view());
    for (std::uint32_t index = 0; index < input.index; ++index) visit(null_output);
    visit(bytes_of(raw_, output_slice(input.index)));
  } else {
    visit(Fields<5>().add_compact_size(layout_.outputs.size()).view());
    visit(all_outputs());
  }
  visit(Fields<4>().add(layout_.lock_time).view());
  if (layout_.may_have_join_splits()) {
    visit(Fields<5>().add_compact_size(layout_.join_splits.size()).view());
    if (!layout_.join_splits.empty()) {
      visit(all_join_splits());
      visit(bytes_of(raw_, layout_.join_split_pub_key));
      visit(absent_join_split_sig);
    }
  }
  visit(Fields<4>().add(hash_type).view());
}

Bytes SignatureHasher::outpoint(std::size_t index) const noexcept {
  return raw_.subspan(layout_.inputs[index].prev_txid_offset, 36);
}

Slice SignatureHasher::output_slice(std::size_t index) const noexcept {
  const Slice script = layout_.outputs[index].script_pubkey;
  const auto header =
      static_cast<std::uint32_t>(8 + Fields<5>().add_compact_size(script.length).view().size());
  return {script.offset - header, script.length + header};
}

Bytes SignatureHasher::all_outputs() const noexcept {
  if (layout_.outputs.empty()) return {};
  const Slice first = output_slice(0);
  const Slice last = output_slice(layout_.outputs.size() - 1);
  return raw_.subspan(first.offset, last.offset + last.length - first.offset);
}

Bytes SignatureHasher::all_join_splits() const noexcept {
  if (layout_.join_splits.empty()) return {};
  const std::size_t start = layout_.join_splits.front().rest.offset - join_split_amounts_bytes;
  return raw_.subspan(start, layout_.join_splits.size() * layout_.join_split_bytes());
}

}  // namespace antara
