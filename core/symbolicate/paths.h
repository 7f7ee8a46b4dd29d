// How the name of a script in a trace is compared with the name of a file. Text only; no file
// system.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace twofold {

// `a/b.js` of `https://host/a/b.js?v=1#x`: what names a file. Nothing is decoded.
[[nodiscard]] std::string_view without_query_and_fragment(std::string_view url);

// The part behind the last slash, forward or backward.
[[nodiscard]] std::string_view base_name(std::string_view path);
// What is before it, slash included; "" without a slash.
[[nodiscard]] std::string_view folder_of(std::string_view path);

// How many path components are equal, counted from the end: 0 when the file names differ, 2 for
// `/srv/assets/app.js` and `https://x.example/assets/app.js`. `.` and empty components do not
// count.
[[nodiscard]] std::size_t count_common_tail(std::string_view a, std::string_view b);

// `url` seen from the folder of `base`: `../maps/a.map` beside `dist/js/a.js` is `dist/maps/a.map`.
// A URL with a scheme or a leading slash stays as it is. `.` and `..` are resolved as far as they
// go.
[[nodiscard]] std::string resolve_beside(std::string_view base, std::string_view url);

// Equal but for the kind of slash, `.` and empty components.
[[nodiscard]] bool same_path(std::string_view a, std::string_view b);

}  // namespace twofold
