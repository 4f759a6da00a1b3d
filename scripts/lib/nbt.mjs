/**
 * Writes NBT from the form that minecraft-data keeps it in: `{type, value}`, where a compound's value
 * is an object of these and a list's is `{type, value: []}`.
 */

const tags = [
  "end",
  "byte",
  "short",
  "int",
  "long",
  "float",
  "double",
  "byteArray",
  "string",
  "list",
  "compound",
  "intArray",
  "longArray",
];

/** @param {{type: string, value: unknown}} root @param {boolean} hasName whether its empty name is written */
export function encodeNbt(root, hasName) {
  const head = hasName ? [tags.indexOf(root.type), 0, 0] : [tags.indexOf(root.type)];
  return Buffer.concat([Buffer.from(head), payload(root.type, root.value)]);
}

/** Texts of these registries are ASCII, whose bytes are the same in Java's form of UTF-8. */
function text(value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([number("writeUInt16BE", 2, bytes.length), bytes]);
}

function number(write, size, value) {
  const bytes = Buffer.alloc(size);
  bytes[write](value);
  return bytes;
}

function payload(type, value) {
  switch (type) {
    case "byte":
      return number("writeInt8", 1, value);
    case "short":
      return number("writeInt16BE", 2, value);
    case "int":
      return number("writeInt32BE", 4, value);
    case "long":
      // minecraft-data keeps the upper and the lower 32 bits.
      return Buffer.concat(value.map((half) => number("writeInt32BE", 4, half)));
    case "float":
      return number("writeFloatBE", 4, value);
    case "double":
      return number("writeDoubleBE", 8, value);
    case "string":
      return text(value);
    case "list":
      return Buffer.concat([
        Buffer.of(tags.indexOf(value.type)),
        number("writeInt32BE", 4, value.value.length),
        ...value.value.map((entry) => payload(value.type, entry)),
      ]);
    case "compound":
      return Buffer.concat([
        ...Object.entries(value).flatMap(([name, entry]) => [
          Buffer.of(tags.indexOf(entry.type)),
          text(name),
          payload(entry.type, entry.value),
        ]),
        Buffer.of(0),
      ]);
    default:
      throw new Error(`no NBT of type ${type} is expected in a registry`);
  }
}
