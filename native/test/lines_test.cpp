// Answers to lines, as bytes in and text out. test/property/lines.test.ts compares the answers with
// those that TypeScript writes.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "check.h"
#include "hex_text.h"
#include "seam/functions.h"
#include "tx/json.h"
#include "tx/parse.h"

namespace {

using namespace antara;
using namespace antara::seam;

// One input, one output, all numbers at their largest; no JoinSplits.
const std::string prevout = std::string(64, 'a');
const std::string largest = "ffffff7f" + ("01" + prevout + "ffffffff00ffffffff") +
                            "01ffffffffffffff7f00" + "ffffffff" + "00";
const std::string empty =
    "01000000"
    "00"
    "00"
    "00000000";

struct Left {
  std::uint32_t start, length, position;
  bool operator==(const Left&) const = default;
};

struct Answers {
  std::uint32_t code = 0;
  std::uint32_t number = 0;
  std::string text;
  AnsweredLinesWords head;
  std::vector<Left> left;
};

Answers answers_to(std::string_view lines, std::uint32_t form) {
  std::vector<std::uint64_t> memory(4096);
  State state;
  state.words = {reinterpret_cast<std::uint32_t*>(memory.data()), 2 * memory.size()};
  Call::put(state.words.subspan(result_base), LinesWords{form});
  Call call{state};
  call.inputs[0].bytes = {reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size()};
  const Outcome outcome = call.finish(answer_lines(call));
  Answers answers{
      outcome.code(), outcome.number(), {call.text().begin(), call.text().end()}, {}, {}};
  if (outcome.failed()) return answers;
  std::span<const std::uint32_t> words = state.words.subspan(result_base);
  answers.head = Call::at<AnsweredLinesWords>(words);
  words = words.subspan(sizeof(AnsweredLinesWords) / 4);
  for (std::uint32_t index = 0; index < answers.head.left; ++index) {
    const auto line = Call::at<LeftLineWords>(words.subspan(index * sizeof(LeftLineWords) / 4));
    answers.left.push_back({line.start, line.length, line.position});
  }
  return answers;
}

std::string txid_of(const std::string& hex) { return answers_to(hex, lines_txid).text; }

void answers_each_line_whatever_is_around_it() {
  const std::string one = txid_of(empty);
  CHECK(one.starts_with("{\"txid\":\"") && one.ends_with("\"}\n"));
  std::string upper = largest;
  for (char& digit : upper) {
    if (digit >= 'a') digit = static_cast<char>(digit - 'a' + 'A');
  }
  CHECK(txid_of(largest).size() == one.size() && txid_of(upper) == txid_of(largest));
  for (const std::string& line : {empty + "\n", empty + "\r\n", " \t" + empty + "\v\f \n",
                                  "\"" + empty + "\"\n", "\"" + empty + "\""}) {
    const Answers answers = answers_to(line, lines_txid);
    CHECK(answers.text == one && answers.head.count == 1 && answers.left.empty());
    CHECK(answers.head.bytes == line.size());
  }
  CHECK(answers_to("", lines_txid).head.count == 0);
}

void leaves_what_is_not_a_transaction() {
  const std::string one = txid_of(empty);
  const auto position = static_cast<std::uint32_t>(one.size());
  using namespace std::string_literals;
  for (const std::string& line :
       {""s, "\r"s, "zz"s, "0"s, "00"s, empty + "00", empty + "\0"s, "\0"s + empty, "\"" + empty,
        "\""s, "\"\""s, empty + "\xc2\xa0", "\xff\xfe"s, "\xef\xbb\xbf" + empty}) {
    const auto length = static_cast<std::uint32_t>(line.size());
    const Answers answers = answers_to(empty + "\n" + line + "\n" + empty + "\n", lines_txid);
    CHECK(answers.text == one + one);
    CHECK(answers.head.count == 3);
    CHECK(answers.left == std::vector<Left>({{21, length, position}}));
  }
}

void leaves_shielded_parts_if_fields_are_wanted() {
  // Sapling, one shielded output of zeros.
  const std::string shielded =
      "0400008085202f89"
      "00"
      "00"
      "00000000"
      "00000000"
      "0000000000000000"
      "00"
      "01" +
      std::string(2 * 948, '0') + "00" + std::string(128, '0');
  CHECK(answers_to(shielded, lines_txid).left.empty());
  CHECK(answers_to(shielded, lines_fields).left.size() == 1);
}

void writes_no_more_than_its_bound() {
  for (const std::string& hex : {empty, largest}) {
    const std::vector<std::uint8_t> raw = test::unhex(hex);
    TxLayout layout;
    CHECK(!parse_transaction(raw, layout).failed());
    layout.value_balance_sats = std::numeric_limits<std::int64_t>::min();
    layout.version = layout.version_group_id = layout.expiry_height = 0xffffffff;
    for (TxOutput& output : layout.outputs) output.value_sats = layout.value_balance_sats;
    std::vector<char> room(transaction_json_characters_max(layout));
    const char* end = write_transaction_json(layout, raw, Hash256{}, room.data());
    CHECK(end <= room.data() + room.size());
  }
}

void stops_once_the_text_is_long_enough() {
  std::string lines;
  for (int index = 0; index < 10'000; ++index) lines += empty + "\n";
  const std::size_t one = txid_of(empty).size();
  const Answers answers = answers_to(lines, lines_txid);
  CHECK(answers.text.size() >= lines_text_enough && answers.text.size() < lines_text_enough + one);
  CHECK(answers.head.bytes == answers.head.count * (empty.size() + 1));
  // Lines that are left have no text, so all of them are in one answer.
  CHECK(answers_to(std::string(2'000, '\n'), lines_txid).left.size() == 2'000);
  CHECK(answers_to(std::string(3'000, '\n'), lines_txid).code == needs_words);
}

// The shortest transactions get the longest answers, measured by their lines: each input and output
// adds at most three times its own characters.
void answers_at_most_fourteen_times_the_line() {
  const std::string none_at_largest_lock_time = empty.substr(0, 12) + "ffffffff";
  const std::string sapling = "0400008085202f89" + std::string("0000") + "ffffffff" + "ffffffff" +
                              "0000000000000080" + "000000";
  const std::string version = "ffffff7f" + std::string("0000") + "ffffffff" + "00";
  for (const std::string& hex : {empty, none_at_largest_lock_time, sapling, version, largest}) {
    const Answers answers = answers_to(hex, lines_fields);
    CHECK(answers.left.empty() && answers.text.size() <= 14 * hex.size());
  }
}

void refuses_wrong_arguments() {
  const Answers unknown = answers_to(empty, lines_fields + 1);
  CHECK(unknown.code == argument_error);
  CHECK(unknown.number == static_cast<std::uint32_t>(ArgumentError::unknown_lines));
  const Answers long_block = answers_to(std::string(input_bytes_max + 1, '\n'), lines_txid);
  CHECK(long_block.code == static_cast<std::uint32_t>(ErrorCode::input_over_limit));
}

}  // namespace

int main() {
  answers_each_line_whatever_is_around_it();
  leaves_what_is_not_a_transaction();
  leaves_shielded_parts_if_fields_are_wanted();
  writes_no_more_than_its_bound();
  stops_once_the_text_is_long_enough();
  answers_at_most_fourteen_times_the_line();
  refuses_wrong_arguments();
  return antara::test::report();
}
