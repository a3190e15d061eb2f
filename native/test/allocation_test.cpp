// A hostile transaction may cost nothing if it announces more than it can hold, and otherwise
// memory in proportion to its size. Counts every allocation of the process by replacing `new`.

#include <cstdlib>
#include <new>
#include <vector>

#include "bytes/byte_writer.h"
#include "check.h"
#include "seam/transaction_words.h"
#include "tx/parse.h"

namespace {

std::size_t allocations = 0;
std::size_t allocated_bytes = 0;

void* counted(std::size_t bytes) {
  ++allocations;
  allocated_bytes += bytes;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace antara;

struct Cost {
  std::size_t allocations;
  std::size_t bytes;
  Error error;
};

Cost cost_of_parsing(Bytes raw) {
  allocations = 0;
  allocated_bytes = 0;
  TxLayout layout;
  const Error error = parse_transaction(raw, layout);
  return {allocations, allocated_bytes, error};
}

/// A transaction that announces `count` inputs, as CompactSize of `prefix`, in 50 bytes.
std::vector<std::uint8_t> announcing_inputs(std::uint8_t prefix, std::uint64_t count) {
  std::vector<std::uint8_t> raw;
  ByteWriter writer{raw};
  writer.u32(1);
  writer.u8(prefix);
  if (prefix == 0xff) {
    writer.u64(count);
  } else {
    writer.u32(static_cast<std::uint32_t>(count));
  }
  raw.resize(raw.size() + 50);
  return raw;
}

void impossible_counts_allocate_nothing() {
  const std::vector<std::vector<std::uint8_t>> hostile{
      announcing_inputs(0xfe, 0xffffffff),
      announcing_inputs(0xff, 0x100000000),
      announcing_inputs(0xff, 0xffffffffffffffff),
      announcing_inputs(0xfe, 0x02000000),
  };
  for (const auto& raw : hostile) {
    const Cost cost = cost_of_parsing(raw);
    CHECK(cost.error.failed());
    CHECK(cost.error.offset == 4);
    CHECK(cost.allocations == 0);
  }
}

std::vector<std::uint8_t> largest_of(std::size_t count, std::size_t element_bytes, bool inputs) {
  std::vector<std::uint8_t> raw;
  ByteWriter writer{raw};
  writer.u32(1);
  if (!inputs) writer.u8(0);
  writer.compact_size(count);
  raw.resize(raw.size() + count * element_bytes);
  if (inputs) writer.u8(0);
  writer.u32(0);
  return raw;
}

void memory_is_in_proportion_to_the_input() {
  const std::vector<std::vector<std::uint8_t>> largest{
      largest_of(97'560, input_bytes_min, true),
      largest_of(444'442, output_bytes_min, false),
  };
  for (const auto& raw : largest) {
    CHECK(raw.size() > 3'999'900);
    const Cost cost = cost_of_parsing(raw);
    CHECK(!cost.error.failed());
    CHECK(cost.allocations == 1);
    CHECK(cost.bytes <= 2 * raw.size());
  }
}

void a_layout_is_reused() {
  const std::vector<std::uint8_t> raw = largest_of(100, output_bytes_min, false);
  TxLayout layout;
  CHECK(!parse_transaction(raw, layout).failed());
  allocations = 0;
  for (int round = 0; round < 1000; ++round) CHECK(!parse_transaction(raw, layout).failed());
  CHECK(allocations == 0);
}

}  // namespace

int main() {
  impossible_counts_allocate_nothing();
  memory_is_in_proportion_to_the_input();
  a_layout_is_reused();
  return antara::test::report();
}
