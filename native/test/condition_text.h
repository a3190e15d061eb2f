#pragma once

// The pieces that conditions, malformed and sound, are made of: hex.

#include <string>

namespace antara::test {

inline const std::string fingerprint = std::string(64, '7');
inline const std::string good_fingerprint = "8020" + fingerprint;
inline const std::string good_cost = "8103020400";
inline const std::string good_subtypes = "82020204";

}  // namespace antara::test
