// native_tests [part of a name]: all tests, or those whose name holds the part.
#include "check.hpp"

int main(int argc, char** argv) { return check::run_all(argc > 1 ? argv[1] : ""); }
