// One portable build that still uses the processor it runs on: the marked function is compiled several times
// and the loader picks. Only plain loops over arrays are marked; results are the same bits in every clone.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HEDGEROW_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
// A function written for registers of 64 bytes, and whether it may be called.
#define HEDGEROW_AVX512 __attribute__((target("avx512f,avx512dq")))
#define HEDGEROW_HAS_AVX512 (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
#else
#define HEDGEROW_CLONES
#define HEDGEROW_AVX512
#define HEDGEROW_HAS_AVX512 false
#endif

// Before a short loop of known length: it is not unrolled, so that it becomes a few wide steps.
#if defined(__GNUC__) && !defined(__clang__)
#define HEDGEROW_WIDE_LOOP _Pragma("GCC unroll 1")
#else
#define HEDGEROW_WIDE_LOOP
#endif

#if defined(__GNUC__)
#define HEDGEROW_INLINE [[gnu::always_inline]] inline
#else
#define HEDGEROW_INLINE inline
#endif
