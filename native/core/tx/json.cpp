#include "tx/json.h"

#include <charconv>
#include <string_view>

#include "bytes/hex.h"

namespace antara {
namespace {

// Characters beside the scripts: the names of the members, txids, and numbers at their longest.
constexpr std::size_t transaction_characters_max = 400;
constexpr std::size_t input_characters_max = 150;
constexpr std::size_t output_characters_max = 60;

/// Appends to memory that is known to have room.
class Writer {
 public:
  explicit Writer(char* output) noexcept : end_(output) {}

  Writer& text(std::string_view text) noexcept {
    end_ = std::copy(text.begin(), text.end(), end_);
    return *this;
  }
  template <typename Number>
  Writer& number(Number number) noexcept {
    constexpr std::size_t digits_max = 20;
    end_ = std::to_chars(end_, end_ + digits_max, number).ptr;
    return *this;
  }
  Writer& hex(Bytes bytes) noexcept {
    hex_from_bytes(bytes, end_);
    end_ += 2 * bytes.size();
    return *this;
  }
  Writer& hash(Bytes bytes) noexcept {
    reversed_hex_from_bytes(bytes, end_);
    end_ += 2 * bytes.size();
    return *this;
  }
  [[nodiscard]] char* end() const noexcept { return end_; }

 private:
  char* end_;
};

void write_inputs(Writer& out, const TxLayout& layout, Bytes raw) noexcept {
  std::string_view before = "{\"txid\":\"";
  for (const TxInput& input : layout.inputs) {
    out.text(before).hash(raw.subspan(input.prev_txid_offset, 32));
    out.text("\",\"vout\":").number(input.prev_index);
    out.text(",\"scriptSig\":\"").hex(bytes_of(raw, input.script_sig));
    out.text("\",\"sequence\":").number(input.sequence).text("}");
    before = ",{\"txid\":\"";
  }
}

void write_outputs(Writer& out, const TxLayout& layout, Bytes raw) noexcept {
  std::string_view before = "{\"value\":\"";
  for (const TxOutput& output : layout.outputs) {
    out.text(before).number(output.value_sats);
    out.text("\",\"script\":\"").hex(bytes_of(raw, output.script_pubkey)).text("\"}");
    before = ",{\"value\":\"";
  }
}

}  // namespace

std::size_t transaction_json_characters_max(const TxLayout& layout) noexcept {
  std::size_t characters = transaction_characters_max;
  for (const TxInput& input : layout.inputs) {
    characters += input_characters_max + 2 * std::size_t{input.script_sig.length};
  }
  for (const TxOutput& output : layout.outputs) {
    characters += output_characters_max + 2 * std::size_t{output.script_pubkey.length};
  }
  return characters;
}

char* write_transaction_json(const TxLayout& layout, Bytes raw, const Hash256& txid,
                             char* output) noexcept {
  Writer out{output};
  out.text("{\"txid\":\"").hash(txid);
  out.text("\",\"version\":").number(layout.version);
  out.text(",\"overwintered\":").text(layout.overwintered ? "true" : "false");
  out.text(",\"versionGroupId\":").number(layout.version_group_id).text(",\"inputs\":[");
  write_inputs(out, layout, raw);
  out.text("],\"outputs\":[");
  write_outputs(out, layout, raw);
  out.text("],\"lockTime\":").number(layout.lock_time);
  out.text(",\"expiryHeight\":").number(layout.expiry_height);
  out.text(",\"valueBalance\":\"").number(layout.value_balance_sats);
  out.text("\",\"shieldedSpends\":[],\"shieldedOutputs\":[],\"joinSplits\":[]}");
  return out.end();
}

}  // namespace antara
