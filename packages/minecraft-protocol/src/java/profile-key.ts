/**
 * The key for signing chat that clients of 1.19 to 1.19.2 send with Login Start: its expiry,
 * an RSA key as a SubjectPublicKeyInfo (RFC 5280, section 4.1, in DER; RFC 8017, appendix A.1.1), and
 * Mojang's signature of both. Source: minecraft.wiki, "Java Edition protocol/Packets", Login Start of
 * 759 and 760.
 */
export interface ProfileKey {
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** It is an RSA key with a signature. Whether the signature is Mojang's is not checked. */
  readonly isReadable: boolean;
}

/** `rsaEncryption` without parameters. */
const algorithm = Buffer.from("300d06092a864886f70d0101010500", "hex");
const tag = { integer: 0x02, bitString: 0x03, sequence: 0x30 } as const;
/** 2,048 bits, the minimum of Mojang's keys, behind a first byte of 0. */
const modulusBytesMin = 257;
const signatureBytesMin = 256;

export function profileKeyOf(expiresAt: bigint, key: Buffer, signature: Buffer): ProfileKey {
  return {
    expiresAtMs: Number(expiresAt),
    isReadable: signature.length >= signatureBytesMin && isRsaKey(key),
  };
}

function isRsaKey(info: Buffer): boolean {
  const outer = contentOf(info, tag.sequence);
  if (outer?.subarray(0, algorithm.length).equals(algorithm) !== true) return false;
  const bits = contentOf(outer.subarray(algorithm.length), tag.bitString);
  // The first byte says how many bits are unused.
  const key = bits?.[0] === 0 ? contentOf(bits.subarray(1), tag.sequence) : undefined;
  const modulus = key && firstOf(key, tag.integer);
  if (modulus === undefined || modulus.content.length < modulusBytesMin) return false;
  // The exponent.
  return contentOf(modulus.after, tag.integer) !== undefined;
}

/** The content of the value, if nothing follows it. */
function contentOf(bytes: Buffer, of: number): Buffer | undefined {
  const first = firstOf(bytes, of);
  return first?.after.length === 0 ? first.content : undefined;
}

function firstOf(bytes: Buffer, of: number): { content: Buffer; after: Buffer } | undefined {
  const short = bytes[1] ?? 0;
  // 0x81 and 0x82: the length is in one byte more, or in two.
  const more = short < 0x80 ? 0 : short - 0x80;
  const start = 2 + more;
  if (bytes[0] !== of || more > 2 || bytes.length < start) return undefined;
  const length = more === 0 ? short : bytes.readUIntBE(2, more);
  const isWhole = length > 0 && bytes.length - start >= length;
  if (!isWhole) return undefined;
  return { content: bytes.subarray(start, start + length), after: bytes.subarray(start + length) };
}
