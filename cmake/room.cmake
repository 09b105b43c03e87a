# One CMake target per room: tahoma_room(NAME core DEPENDS ... LIBRARIES ...)
#
# Flags that keep results the same between compilers and optimisation levels: results are integers, so
# only the few floating-point derivations (busbw, utilisation) could differ. Contraction to fused
# multiply-add is off and no fast-math is ever on, which makes those IEEE-exact too.
function(tahoma_flags target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
    -ffp-contract=off -fno-fast-math
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 warns falsely on "text" + std::string (its bug 105651)
    # Files compiled together see each other's file-local names; those warnings belong to the plain build.
    $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-shadow>
    $<$<BOOL:${TAHOMA_WERROR}>:-Werror>)
  if(TAHOMA_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
  if(TAHOMA_FUZZ)
    # Coverage feedback in every room; the fuzzer's own main comes with the fuzz targets (tests/CMakeLists.txt).
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

function(tahoma_room)
  cmake_parse_arguments(ROOM "" "NAME" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  add_library(tahoma_${ROOM_NAME} STATIC ${ROOM_SOURCES})
  add_library(tahoma::${ROOM_NAME} ALIAS tahoma_${ROOM_NAME})
  target_include_directories(tahoma_${ROOM_NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  foreach(dependency IN LISTS ROOM_DEPENDS)
    target_link_libraries(tahoma_${ROOM_NAME} PUBLIC tahoma::${dependency})
  endforeach()
  target_link_libraries(tahoma_${ROOM_NAME} PUBLIC ${ROOM_LIBRARIES})
  tahoma_flags(tahoma_${ROOM_NAME})
endfunction()
