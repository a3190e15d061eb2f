// Node-API on Windows, where a library names the program that it takes functions from. In Electron,
// or after a renaming, that program is not node.exe. So the functions are taken from the running
// program, as by the hook for delayed loading that node-gyp links into addons of MSVC.
//
// node_api.h declares each function as imported, which is a call through a pointer `__imp_NAME`.
// Here are these pointers, each filled before anything can call. A function that is used and not
// listed fails to link.

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define ANTARA_NODE_API(EACH)            \
  EACH(napi_adjust_external_memory)      \
  EACH(napi_check_object_type_tag)       \
  EACH(napi_create_arraybuffer)          \
  EACH(napi_create_async_work)           \
  EACH(napi_create_external)             \
  EACH(napi_create_external_arraybuffer) \
  EACH(napi_create_function)             \
  EACH(napi_create_promise)              \
  EACH(napi_create_reference)            \
  EACH(napi_create_string_latin1)        \
  EACH(napi_create_typedarray)           \
  EACH(napi_create_uint32)               \
  EACH(napi_delete_async_work)           \
  EACH(napi_delete_reference)            \
  EACH(napi_get_boolean)                 \
  EACH(napi_get_cb_info)                 \
  EACH(napi_get_reference_value)         \
  EACH(napi_get_typedarray_info)         \
  EACH(napi_get_value_external)          \
  EACH(napi_get_value_string_latin1)     \
  EACH(napi_get_value_uint32)            \
  EACH(napi_is_arraybuffer)              \
  EACH(napi_is_detached_arraybuffer)     \
  EACH(napi_queue_async_work)            \
  EACH(napi_resolve_deferred)            \
  EACH(napi_set_instance_data)           \
  EACH(napi_set_named_property)          \
  EACH(napi_throw_type_error)            \
  EACH(napi_type_tag_object)             \
  EACH(napi_typeof)

extern "C" {
#define ANTARA_POINTER(name) FARPROC __imp_##name = nullptr;
ANTARA_NODE_API(ANTARA_POINTER)
}

namespace {

/// Searches Node's own library if it is one, and the program otherwise.
bool find_all() noexcept {
  HMODULE host = GetModuleHandleW(L"libnode.dll");
  if (host == nullptr) host = GetModuleHandleW(nullptr);
#define ANTARA_FIND(name) \
  if ((__imp_##name = GetProcAddress(host, #name)) == nullptr) return false;
  ANTARA_NODE_API(ANTARA_FIND)
  return true;
}

}  // namespace

/// Fails to load if a function is missing; the loader then uses WebAssembly.
extern "C" BOOL WINAPI DllMain(HINSTANCE, DWORD reason, LPVOID) {
  return reason != DLL_PROCESS_ATTACH || find_all() ? TRUE : FALSE;
}
#endif
