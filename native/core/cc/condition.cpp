#include "cc/condition.h"

#include <bit>

#include "cc/der_writer.h"

namespace antara {

namespace {

/// The longest spelling the daemon reads without leaving its 32 bits.
constexpr std::size_t subtype_bytes_max = 4;

struct SubtypeBits {
  std::array<std::uint8_t, subtype_bytes_max> bytes{};
  std::uint8_t size = 1;
  std::uint8_t unused_bits = 7;

  friend bool operator==(const SubtypeBits&, const SubtypeBits&) = default;
};

/// Encodes a mask: bit `id` is bit 7 - id % 8 of byte id / 8, in as few bytes as the largest id
/// needs.
SubtypeBits spell_subtypes(std::uint32_t mask) noexcept {
  SubtypeBits bits;
  if (mask == 0) return bits;
  const unsigned id_max = 31U - static_cast<unsigned>(std::countl_zero(mask));
  for (unsigned id = 0; id <= id_max; ++id) {
    const unsigned bit = mask >> id & 1;
    bits.bytes[id / 8] = static_cast<std::uint8_t>(bits.bytes[id / 8] | bit << (7 - id % 8));
  }
  bits.size = static_cast<std::uint8_t>(1 + id_max / 8);
  bits.unused_bits = static_cast<std::uint8_t>(7 - id_max % 8);
  return bits;
}

/// asn1c clears as many low bits of the last byte as the count of unused bits says. From 32 up its
/// shift is undefined; on the daemon's platform only the lowest five bits of the count matter.
std::uint32_t mask_of(SubtypeBits bits) noexcept {
  if (bits.size > 0) {
    std::uint8_t& last = bits.bytes[bits.size - 1U];
    const unsigned kept = 0xffU << (bits.unused_bits & 31U);
    last = static_cast<std::uint8_t>(last & kept);
  }
  std::uint32_t mask = 0;
  for (unsigned id = 0; id < bits.size * 8U; ++id) {
    const unsigned bit = bits.bytes[id / 8] >> (7 - id % 8) & 1U;
    mask |= bit << id;
  }
  return mask;
}

/// asn1c writes what it read: a count of at most seven, with the unused bits cleared.
bool is_der(SubtypeBits bits) noexcept {
  const unsigned unused = (1U << (bits.unused_bits & 7U)) - 1U;
  return bits.size > 0 && bits.unused_bits < 8 && (bits.bytes[bits.size - 1U] & unused) == 0;
}

std::uint32_t read_subtypes(DerReader& reader, ConditionType type) noexcept {
  const std::uint32_t start = reader.offset();
  SubtypeBits found;
  const std::size_t size = reader.copy_bits(der_primitive(2), found.bytes, found.unused_bits);
  if (reader.failed()) return 0;
  if (size > subtype_bytes_max) {
    reader.fail(ErrorCode::condition_subtypes, start);
    return 0;
  }
  found.size = static_cast<std::uint8_t>(size);
  const std::uint32_t mask = mask_of(found);
  const std::uint32_t allowed = condition_types_known & ~condition_bit(type);
  const bool is_canonical = found == spell_subtypes(mask) && (mask & ~allowed) == 0;
  const bool is_taken = reader.rules() == DerRules::der && is_der(found);
  if (!is_canonical && !is_taken) reader.deviate(ErrorCode::condition_subtypes, start);
  return mask;
}

std::size_t contents_bytes(const Condition& condition, const SubtypeBits& subtypes) noexcept {
  return der_string_bytes(fingerprint_bytes(condition.type)) + der_integer_bytes(condition.cost) +
         (is_compound(condition.type) ? der_string_bytes(1U + subtypes.size) : 0);
}

}  // namespace

UncheckedCondition read_unchecked_condition(DerReader& reader) noexcept {
  UncheckedCondition raw;
  const std::uint32_t start = reader.offset();
  if (reader.at_end()) {
    reader.open(der_constructed(0));  // keeps the reason why no condition was read
    return {};
  }
  const std::uint8_t identifier = reader.peek();
  const std::optional<ConditionType> type = condition_type(identifier & 0x1fU);
  if (identifier < der_primitive(0) || identifier > der_constructed(15) || !type) {
    reader.fail(ErrorCode::condition_type_unknown, start);
    return {};
  }
  Condition& condition = raw.condition;
  condition.type = *type;
  reader.open(der_constructed(static_cast<unsigned>(*type)));
  raw.fingerprint_offset = reader.offset();
  raw.fingerprint_size = reader.copy_string(der_primitive(0), condition.fingerprint);
  condition.cost = reader.integer(der_primitive(1));
  if (is_compound(*type)) condition.subtypes = read_subtypes(reader, *type);
  reader.close();
  return reader.failed() ? UncheckedCondition{} : raw;
}

Condition read_condition(DerReader& reader) noexcept {
  const UncheckedCondition raw = read_unchecked_condition(reader);
  if (!reader.failed() && raw.fingerprint_size != fingerprint_bytes(raw.condition.type)) {
    reader.fail(ErrorCode::condition_fingerprint_size, raw.fingerprint_offset);
  }
  return reader.failed() ? Condition{} : raw.condition;
}

Result<Condition> decode_condition(Bytes input, DerRules rules) noexcept {
  DerReader reader{input, rules};
  Condition condition = read_condition(reader);
  if (const Error error = reader.finish(); error.failed()) return error;
  condition.is_canonical = !reader.deviation().failed();
  return condition;
}

std::size_t condition_bytes(const Condition& condition) noexcept {
  return der_string_bytes(contents_bytes(condition, spell_subtypes(condition.subtypes)));
}

void write_condition(const Condition& condition, std::vector<std::uint8_t>& output) {
  const SubtypeBits subtypes = spell_subtypes(condition.subtypes);
  DerWriter writer{output};
  writer.header(der_constructed(static_cast<unsigned>(condition.type)),
                contents_bytes(condition, subtypes));
  writer.string(der_primitive(0), condition.fingerprint_view());
  writer.integer(der_primitive(1), condition.cost);
  if (!is_compound(condition.type)) return;
  writer.header(der_primitive(2), 1U + subtypes.size);
  writer.byte(subtypes.unused_bits);
  writer.bytes(Bytes{subtypes.bytes}.first(subtypes.size));
}

}  // namespace antara
