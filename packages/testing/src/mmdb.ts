import { parseIp } from "@palisade/minecraft-protocol/proxy/address";

/** https://maxmind.github.io/MaxMind-DB/ */

type Value = string | number | boolean | readonly string[] | { readonly [key: string]: Value };

export interface MmdbOptions {
  readonly ipVersion?: 4 | 6;
  readonly recordBits?: 24 | 28 | 32;
  readonly databaseType?: string;
}

interface Node {
  readonly children: [Node | number | undefined, Node | number | undefined];
}

const separator = Buffer.alloc(16);
const metadataMark = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");

/** A file in MaxMind's format with these networks, of which none lies in another. */
export function mmdbOf(
  networks: Iterable<readonly [cidr: string, record: Value]>,
  { ipVersion = 6, recordBits = 24, databaseType = "Test" }: MmdbOptions = {},
): Buffer {
  const root: Node = newNode();
  const data: Buffer[] = [];
  const offsets = new Map<string, number>();
  let dataBytes = 0;
  for (const [cidr, record] of networks) {
    const key = JSON.stringify(record);
    let offset = offsets.get(key);
    if (offset === undefined) {
      offset = dataBytes;
      const encoded = encode(record);
      data.push(encoded);
      dataBytes += encoded.length;
      offsets.set(key, offset);
    }
    insert(root, bitsOf(cidr, ipVersion), offset);
  }
  const nodes = flatten(root);
  const places = new Map(nodes.map((node, place) => [node, place]));
  const recordOf = (child: Node | number | undefined): number => {
    if (child === undefined) return nodes.length;
    return typeof child === "number"
      ? nodes.length + separator.length + child
      : (places.get(child) ?? 0);
  };
  const tree = nodes.map(({ children: [left, right] }) =>
    encodeNode(recordOf(left), recordOf(right), recordBits),
  );
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_800_000_000,
    database_type: databaseType,
    ip_version: ipVersion,
    languages: ["en"],
    node_count: nodes.length,
    record_size: recordBits,
  });
  return Buffer.concat([...tree, separator, ...data, metadataMark, metadata]);
}

function newNode(): Node {
  return { children: [undefined, undefined] };
}

function bitsOf(cidr: string, ipVersion: 4 | 6): number[] {
  const [address = "", prefixText] = cidr.split("/");
  const ip = parseIp(address);
  if (ip === undefined) throw new Error(`${cidr} is no network`);
  const prefix = prefixText === undefined ? ip.length * 8 : Number(prefixText);
  const bits = [...ip].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1));
  const above = ipVersion === 6 && ip.length === 4 ? Array.from({ length: 96 }, () => 0) : [];
  return [...above, ...bits.slice(0, prefix)];
}

function insert(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const [depth, bit] of bits.entries()) {
    const side = bit === 1 ? 1 : 0;
    if (depth === bits.length - 1) node.children[side] = offset;
    else {
      const child = node.children[side];
      const next = child === undefined || typeof child === "number" ? newNode() : child;
      node.children[side] = next;
      node = next;
    }
  }
}

function flatten(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const child of node.children) if (typeof child === "object") nodes.push(child);
  }
  return nodes;
}

function encodeNode(left: number, right: number, bits: 24 | 28 | 32): Buffer {
  const node = Buffer.alloc(bits / 4);
  if (bits === 28) {
    node.writeUIntBE(left & 0xff_ffff, 0, 3);
    node[3] = ((left >>> 24) << 4) | (right >>> 24);
    node.writeUIntBE(right & 0xff_ffff, 4, 3);
  } else {
    node.writeUIntBE(left, 0, bits / 8);
    node.writeUIntBE(right, bits / 8, bits / 8);
  }
  return node;
}

function encode(value: Value): Buffer {
  if (typeof value === "string") return tagged(2, Buffer.byteLength(value), Buffer.from(value));
  if (typeof value === "boolean") return tagged(14, value ? 1 : 0);
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return tagged(6, 4, bytes);
  }
  if (isTexts(value)) return tagged(11, value.length, ...value.map(encode));
  const entries = Object.entries(value);
  return tagged(7, entries.length, ...entries.flat().map(encode));
}

function isTexts(value: Value): value is readonly string[] {
  return Array.isArray(value);
}

/** Sizes below 29 stand in the first byte, those below 285 in one of their own; so do types above 7. */
function tagged(type: number, size: number, ...content: Buffer[]): Buffer {
  const sizeBits = Math.min(size, 29);
  const head = type < 8 ? [(type << 5) | sizeBits] : [sizeBits, type - 7];
  if (size >= 29) head.push(size - 29);
  return Buffer.concat([Buffer.from(head), ...content]);
}
