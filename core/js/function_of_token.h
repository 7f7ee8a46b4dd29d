// How a .tw spells which function a token is in.
//
// kNone: nobody looked (built without the script). Otherwise an entry of the function table, of
// which two are no names: what was looked at and found to be nameless, and code outside every
// function. Both are spelled so that no JavaScript function can be called like them.
#pragma once

#include <string_view>

namespace twofold::js {

inline constexpr std::string_view kAnonymousFunction = "<anonymous>";
inline constexpr std::string_view kTopLevel = "<global>";

}  // namespace twofold::js
