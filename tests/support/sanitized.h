/* sanitized.h - SANITIZED: 1 in a build under a sanitizer, where all takes ten times as long. */
#ifndef SANITIZED_H
#define SANITIZED_H

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
