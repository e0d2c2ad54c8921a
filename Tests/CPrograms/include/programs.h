/* SPDX-License-Identifier: MIT */
#pragma once
#include <sys/types.h>

/* Starts a program with three descriptors, in a folder (null for the present one); 0, or the system's error. */
int pay_test_start(
    pid_t *number, const char *program, char *const words[], char *const environment[], const char *folder,
    int input, int output, int errors);

/* A pipe that no other program inherits; 0, or the system's error. */
int pay_test_pipe(int ends[2]);
