// The contents of inputs of keys, multisig and script hashes: a row for each side of each limit.

#include <algorithm>
#include <optional>

#include "hash/ripemd160.h"
#include "signed_inputs.h"

namespace {

using namespace antara;
using namespace antara::test;

Buffer pubkey_script(const Buffer& key) { return push(key) + byte(0xac); }

Buffer hash_of(const Buffer& data) {
  const Hash160 hash = hash160(data);
  return {hash.begin(), hash.end()};
}

Buffer pubkeyhash_script(const Buffer& key) {
  return unhex("76a9") + push(hash_of(key)) + unhex("88ac");
}

Buffer scripthash_script(const Buffer& redeem_script) {
  return unhex("a9") + push(hash_of(redeem_script)) + unhex("87");
}

/// Keys from 1 on; so many of them are pushed with OP_PUSHDATA1.
Buffer multisig_script(const Wallet& wallet, unsigned required, unsigned keys,
                       unsigned long_pushes = 0) {
  Buffer script = byte(0x50 + required);
  for (unsigned key = 1; key <= keys; ++key) {
    script = script + push(wallet.signer.key(key), key <= long_pushes ? 0x4c : 0);
  }
  return script + byte(0x50 + keys) + byte(0xae);
}

/// source: STRICTENC, komodo src/script/interpreter.cpp, IsDefinedHashtypeSignature
void check_hash_types(const Wallet& wallet) {
  const Buffer key = wallet.signer.key(1);
  const Buffer script = pubkey_script(key);
  for (unsigned type = 0; type <= 0xff; ++type) {
    const unsigned base = type & 0x7f;
    const bool is_defined = base >= 1 && base <= 3;
    const Verified found = verify({script}, {push(wallet.signature(1, script, type))}).front();
    expect("hash type " + std::to_string(type), found,
           is_defined ? ErrorCode::ok : ErrorCode::undefined_hash_type, {key});
    CHECK(found.verdict.hash_type == type);
    CHECK(found.verdict.type == ScriptType::pubkey);
  }
}

void check_single_keys(const Wallet& wallet) {
  const Buffer key = wallet.signer.key(1);
  const Buffer long_key = wallet.signer.key(1, false);
  const auto pays = [&](const char* name, const Buffer& script, const Buffer& script_sig,
                        ErrorCode code, const Keys& keys = {}) {
    expect(name, verify({script}, {script_sig}).front(), code, keys);
    // The same behind a script hash, except signatures, which commit to the script.
    const Verified hashed =
        verify({scripthash_script(script)}, {script_sig + push(script)}).front();
    expect(std::string{name} + ", behind a script hash", hashed, code, keys);
    CHECK(hashed.verdict.type == ScriptType::scripthash);
  };
  const auto signed_by = [&](unsigned number, const Buffer& script) {
    return push(wallet.signature(number, script));
  };

  for (const Buffer& own : {key, long_key}) {
    const Buffer script = pubkey_script(own);
    pays("a key", script, signed_by(1, script), ErrorCode::ok, {own});
    pays("a key, another signs", script, signed_by(2, script), ErrorCode::signature_mismatch);
    const Buffer hash = pubkeyhash_script(own);
    pays("the hash of a key", hash, signed_by(1, hash) + push(own), ErrorCode::ok, {own});
    pays("the hash of a key, another signs", hash, signed_by(2, hash) + push(own),
         ErrorCode::signature_mismatch);
    pays("the hash of a key, key first", hash, push(own) + signed_by(1, hash),
         ErrorCode::public_key_hash_mismatch);
    pays("the hash of a key and one push more", hash, byte(0) + signed_by(1, hash) + push(own),
         ErrorCode::script_sig_form);
    pays("the hash of a key alone", hash, push(own), ErrorCode::script_sig_form);
  }
  const Buffer hash = pubkeyhash_script(key);
  const Buffer script = pubkey_script(key);
  pays("a key, a cut signature", script, push(Buffer{0x30, 0x06, 0x02, 1}),
       ErrorCode::signature_length);
  pays("the hash of a key, no signature", hash, byte(0) + push(key), ErrorCode::signature_missing);
  pays("the hash of no key", pubkeyhash_script({}), signed_by(1, pubkeyhash_script({})) + byte(0),
       ErrorCode::malformed_public_key);
  expect("the hash of a key, nothing there", verify({hash}, {{}}).front(),
         ErrorCode::signature_missing);
  const Buffer inner = scripthash_script(script);
  pays("a script hash", Buffer{0x51}, {}, ErrorCode::unsupported_script);
  expect("a script hash behind another",
         verify({scripthash_script(inner)}, {signed_by(1, script) + push(script) + push(inner)})
             .front(),
         ErrorCode::unsupported_script);
}

/// source: komodo src/script/interpreter.cpp, OP_CHECKMULTISIG
void check_multisig(const Wallet& wallet) {
  struct Form {
    unsigned required;
    unsigned keys;
  };
  for (const Form form : {Form{1, 1}, Form{1, 2}, Form{2, 2}, Form{2, 3}, Form{3, 3}, Form{1, 16},
                          Form{15, 16}, Form{16, 16}}) {
    const Buffer script = multisig_script(wallet, form.required, form.keys);
    const std::string name =
        std::to_string(form.required) + " of " + std::to_string(form.keys) + ", signed by ";
    const auto check_signers = [&](const std::vector<unsigned>& signers, ErrorCode code) {
      Buffer script_sig = byte(0);
      Keys keys;
      std::string title = name;
      for (const unsigned signer : signers) {
        script_sig = script_sig + push(wallet.signature(signer, script));
        keys.push_back(wallet.signer.key(signer));
        title += std::to_string(signer) + " ";
      }
      const Verified found = verify({script}, {script_sig}).front();
      expect(title, found, code, keys);
      CHECK(found.verdict.type == ScriptType::multisig);
      if (code == ErrorCode::ok) CHECK(found.verdict.hash_type == 1);
    };
    std::vector<unsigned> first;
    std::vector<unsigned> last;
    for (unsigned key = 1; key <= form.required; ++key) {
      first.push_back(key);
      last.push_back(form.keys - form.required + key);
    }
    check_signers(first, ErrorCode::ok);
    check_signers(last, ErrorCode::ok);
    check_signers({last.begin() + 1, last.end()}, ErrorCode::signature_missing);
    if (form.keys < 16) {
      std::vector<unsigned> more = first;
      more.push_back(form.keys);
      check_signers(more, ErrorCode::script_sig_form);
    }
    std::vector<unsigned> stranger = first;
    stranger.back() = 17;
    check_signers(stranger, ErrorCode::signature_mismatch);
    stranger = first;
    stranger.front() = 17;
    check_signers(stranger, ErrorCode::signature_mismatch);
    if (form.required < 2) continue;
    check_signers({last.rbegin(), last.rend()}, ErrorCode::signature_mismatch);
    std::vector<unsigned> twice = first;
    twice.back() = twice[twice.size() - 2];
    check_signers(twice, ErrorCode::signature_mismatch);
  }

  const Buffer no_point = unhex("02") + Buffer(32, 0xff);
  const Buffer good = wallet.signer.key(1);
  const Buffer good_first = byte(0x51) + push(good) + push(no_point) + unhex("52ae");
  const Buffer bad_first = byte(0x51) + push(no_point) + push(good) + unhex("52ae");
  expect("1 of 2, the last key is not a point",
         verify({good_first}, {byte(0) + push(wallet.signature(1, good_first))}).front(),
         ErrorCode::ok, {good});
  expect("1 of 2, the first key is not a point",
         verify({bad_first}, {byte(0) + push(wallet.signature(1, bad_first))}).front(),
         ErrorCode::ok, {good});
  expect("1 of 2, no key made the signature",
         verify({bad_first}, {byte(0) + push(wallet.signature(2, bad_first))}).front(),
         ErrorCode::signature_mismatch);
  // Nodes relay no transaction for which they read a hybrid key. They read the last key first.
  const Buffer hybrid = byte(0x06) + Buffer(64, 0x11);
  const Buffer hybrid_last = byte(0x51) + push(good) + push(hybrid) + unhex("52ae");
  const Buffer hybrid_first = byte(0x51) + push(hybrid) + push(good) + unhex("52ae");
  expect("1 of 2, the last key is hybrid and read first",
         verify({hybrid_last}, {byte(0) + push(wallet.signature(1, hybrid_last))}).front(),
         ErrorCode::malformed_public_key);
  expect("1 of 2, the first key is hybrid and not read",
         verify({hybrid_first}, {byte(0) + push(wallet.signature(1, hybrid_first))}).front(),
         ErrorCode::ok, {good});
  expect("1 of 2, an empty signature", verify({good_first}, {byte(0) + byte(0)}).front(),
         ErrorCode::signature_missing);
  expect("1 of 2, no pushes", verify({good_first}, {{}}).front(), ErrorCode::signature_missing);
  const Buffer redeem = multisig_script(wallet, 2, 3);
  const Buffer both =
      byte(0) + push(wallet.signature(1, redeem)) + push(wallet.signature(3, redeem));
  expect("2 of 3 behind a script hash",
         verify({scripthash_script(redeem)}, {both + push(redeem)}).front(), ErrorCode::ok,
         {wallet.signer.key(1), wallet.signer.key(3)});
}

/// The hash type of an input is told only where all its signatures agree on it.
void check_hash_types_of_several(const Wallet& wallet) {
  struct Row {
    std::vector<unsigned> types;
    std::optional<std::uint8_t> expected;
  };
  const Buffer script = multisig_script(wallet, 3, 3);
  const std::vector<Row> rows{
      {{1, 1, 1}, 1},  {{0x83, 0x83, 0x83}, 0x83}, {{1, 2, 1}, {}},
      {{2, 1, 1}, {}}, {{1, 1, 0x81}, {}},         {{2, 1, 2}, {}},
  };
  for (const Row& row : rows) {
    // The second input too, after the first has left its key behind.
    std::vector<Buffer> script_sigs;
    for (std::uint32_t index = 0; index < 2; ++index) {
      Buffer script_sig = byte(0);
      for (unsigned signer = 1; signer <= 3; ++signer) {
        script_sig =
            script_sig + push(wallet.signature(signer, script, row.types[signer - 1], index, 2));
      }
      script_sigs.push_back(script_sig);
    }
    const std::vector<Verified> found = verify({script, script}, script_sigs);
    for (const Verified& each : found) {
      CHECK(each.verdict.code == ErrorCode::ok && each.verdict.key_count == 3);
      CHECK(each.verdict.hash_type == row.expected);
    }
    CHECK(found[1].verdict.first_key == 3);
  }
}

/// source: komodo src/script/interpreter.cpp, CheckMinimalPush and MAX_SCRIPT_ELEMENT_SIZE
void check_pushes(const Wallet& wallet) {
  struct Row {
    Buffer redeem_script;
    unsigned opcode;
    ErrorCode code;
  };
  const auto zeros = [](std::size_t size) { return Buffer(size, 0); };
  constexpr ErrorCode fine = ErrorCode::unsupported_script;
  constexpr ErrorCode refused = ErrorCode::script_sig_form;
  const std::vector<Row> rows{
      {{0}, 0, refused},           {{1}, 0, refused},
      {{16}, 0, refused},          {{17}, 0, fine},
      {{0x80}, 0, fine},           {{0x81}, 0, refused},
      {{0x82}, 0, fine},           {zeros(2), 0, fine},
      {zeros(2), 0x4c, refused},   {zeros(75), 0, fine},
      {zeros(75), 0x4c, refused},  {zeros(76), 0x4c, fine},
      {zeros(76), 0x4d, refused},  {zeros(255), 0x4c, fine},
      {zeros(255), 0x4d, refused}, {zeros(256), 0x4d, fine},
      {zeros(256), 0x4e, refused}, {zeros(520), 0x4d, fine},
      {zeros(521), 0x4d, refused}, {zeros(0), 0x4c, refused},
  };
  for (const Row& row : rows) {
    const Buffer script_sig = push(row.redeem_script, row.opcode);
    const Verified found = verify({scripthash_script(row.redeem_script)}, {script_sig}).front();
    expect("a push of " + std::to_string(row.redeem_script.size()) + " with opcode " +
               std::to_string(script_sig[0]),
           found, row.code);
  }
  // A dummy, 16 signatures and a redeem script are the most that is ever needed.
  const Buffer script = scripthash_script({0x51});
  for (const std::size_t count : {17, 18, 19, 20, 100}) {
    const ErrorCode code = count <= 18 ? ErrorCode::script_hash_mismatch : refused;
    expect("so many pushes: " + std::to_string(count), verify({script}, {Buffer(count, 0)}).front(),
           code);
  }
  // Fifteen keys fill a redeem script to its last byte.
  for (const unsigned long_pushes : {7U, 8U}) {
    const Buffer redeem = multisig_script(wallet, 1, 15, long_pushes);
    CHECK(redeem.size() == 513 + long_pushes);
    const Buffer script_sig = byte(0) + push(wallet.signature(15, redeem)) + push(redeem);
    const Verified found = verify({scripthash_script(redeem)}, {script_sig}).front();
    const bool fits = redeem.size() <= 520;
    expect("a redeem script of " + std::to_string(redeem.size()), found,
           fits ? ErrorCode::ok : refused, {wallet.signer.key(15)});
  }
}

/// A key that is read again is not mistaken for the one before, and one that failed not for read.
void check_keys_of_several_inputs(const Wallet& wallet) {
  const Buffer one = pubkey_script(wallet.signer.key(1));
  const Buffer two = pubkey_script(wallet.signer.key(2));
  const Buffer no_point = pubkey_script(unhex("02") + Buffer(32, 0xff));
  const std::vector<Buffer> scripts{one, one, two, no_point, no_point, two, one};
  const std::vector<unsigned> signers{1, 1, 2, 2, 2, 2, 1};
  std::vector<Buffer> script_sigs;
  for (std::uint32_t index = 0; index < scripts.size(); ++index) {
    script_sigs.push_back(
        push(wallet.signature(signers[index], scripts[index], 1, index, scripts.size())));
  }
  const std::vector<Verified> found = verify(scripts, script_sigs);
  for (std::uint32_t index = 0; index < scripts.size(); ++index) {
    const bool is_bad = scripts[index] == no_point;
    expect("input " + std::to_string(index), found[index],
           is_bad ? ErrorCode::public_key_off_curve : ErrorCode::ok,
           {wallet.signer.key(signers[index])});
  }
}

}  // namespace

int main() {
  const Wallet wallet;
  check_hash_types(wallet);
  check_single_keys(wallet);
  check_multisig(wallet);
  check_hash_types_of_several(wallet);
  check_pushes(wallet);
  check_keys_of_several_inputs(wallet);
  return antara::test::report();
}
