/** The largest mail that is taken: what the large mail services send at most (25 MB) as it travels, and more. */
export const mailBytesMax = 36 * 1024 * 1024;
