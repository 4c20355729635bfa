// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/cfslb/. A statistics file is made when it is opened, so that
 * a reader sees one moment however it reads. These files have mode 0444 and no
 * other operations than reading: a locked down kernel lets them be opened.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include "debugfs.h"
#include "files.h"

static struct dentry *root;

static void put_heading(struct cfslb_text *text, const struct cfslb_file *file,
			const struct cfslb_view *view)
{
	cfslb_text_put(text, "cfslb ");
	cfslb_text_put(text, file->name);
	cfslb_text_put(text, " abi=");
	cfslb_text_number(text, CFSLB_ABI);
	cfslb_text_put(text, " epoch=");
	cfslb_text_number(text, view->epoch);
	cfslb_text_put(text, " t_ns=");
	cfslb_text_number(text, view->t_ns);
	cfslb_text_put(text, " kernel=");
	cfslb_text_put(text, init_utsname()->release);
	cfslb_text_put(text, "\n");
}

static int make_text(const struct cfslb_file *file, struct cfslb_contents *contents)
{
	struct cfslb_text text = { 0 };
	struct cfslb_view view;
	int err = cfslb_view_take(&view, file->tables, 0);

	if (err)
		return err;
	text.measured = view.measured;
	put_heading(&text, file, &view);
	cfslb_text_columns(&text, file->name);
	file->rows(&text, &view);
	cfslb_view_drop(&view);
	contents->buf = text.buf;
	contents->len = text.len;
	if (text.err)
		kvfree(text.buf);
	return text.err;
}

static int statistics_open(struct inode *inode, struct file *file)
{
	const struct cfslb_file *description = inode->i_private;
	struct cfslb_contents *contents = kzalloc(sizeof(*contents), GFP_KERNEL);
	int err;

	if (!contents)
		return -ENOMEM;
	err = description ? make_text(description, contents) : cfslb_snapshot(contents);
	if (err) {
		kfree(contents);
		return err;
	}
	file->private_data = contents;
	return 0;
}

static ssize_t statistics_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	const struct cfslb_contents *contents = file->private_data;

	return simple_read_from_buffer(to, count, pos, contents->buf, contents->len);
}

static int statistics_release(struct inode *inode, struct file *file)
{
	struct cfslb_contents *contents = file->private_data;

	kvfree(contents->buf);
	kfree(contents);
	return 0;
}

static const struct file_operations statistics_fops = {
	.owner = THIS_MODULE,
	.open = statistics_open,
	.read = statistics_read,
	.llseek = default_llseek,
	.release = statistics_release,
};

int cfslb_debugfs_init(void)
{
	const struct cfslb_file *file;

	root = debugfs_create_dir("cfslb", NULL);
	if (IS_ERR_OR_NULL(root))
		return root ? PTR_ERR(root) : -ENOMEM;
	for (file = cfslb_files; file->name; file++)
		debugfs_create_file(file->name, 0444, root, (void *)file, &statistics_fops);
	debugfs_create_file("snapshot", 0444, root, NULL, &statistics_fops);
	debugfs_create_file("control", 0600, root, NULL, &cfslb_control_fops);
	return 0;
}

void cfslb_debugfs_exit(void)
{
	debugfs_remove_recursive(root);
}
