// SPDX-License-Identifier: GPL-2.0
/*
 * Notes on single tasks. A task_struct is aligned to more than the four values
 * of a mark, so both fit in one word, which is the key; the task is never
 * dereferenced here.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/hash.h>
#include "marks.h"

#define MARK_BITS 8
#define MARK_MASK 3ul

struct note {
	unsigned long key;	/* task | mark; 0: free */
	int cpu;
};

static struct note notes[1 << MARK_BITS];

static struct note *note_of(const struct task_struct *p)
{
	return &notes[hash_ptr((void *)p, MARK_BITS)];
}

void cfslb_mark_set(const struct task_struct *p, enum cfslb_mark mark, int cpu)
{
	struct note *note = note_of(p);

	BUILD_BUG_ON(__alignof__(struct task_struct) <= MARK_MASK);
	WRITE_ONCE(note->key, 0);
	WRITE_ONCE(note->cpu, cpu);
	/* Pairs with cfslb_mark_take(): the CPU is there before the key. */
	smp_store_release(&note->key, (unsigned long)p | mark);
}

enum cfslb_mark cfslb_mark_take(const struct task_struct *p, int cpu)
{
	struct note *note = note_of(p);
	unsigned long key;

	/* Pairs with cfslb_mark_set(). */
	key = smp_load_acquire(&note->key);
	if ((key & ~MARK_MASK) != (unsigned long)p || READ_ONCE(note->cpu) != cpu)
		return CFSLB_MARK_NONE;
	if (cmpxchg(&note->key, key, 0) != key)
		return CFSLB_MARK_NONE;
	return key & MARK_MASK;
}
