/* SPDX-License-Identifier: MIT */
#pragma once

/* How many bytes of the heap are in use now. Sets the greatest number so far to this one. */
long pay_test_memory_begin(void);

/* The greatest number of bytes of the heap that were in use at once since then. */
long pay_test_memory_most(void);
