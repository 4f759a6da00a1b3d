import path from "node:path";
import { attachmentTypes, type AttachmentType } from "@palisade/contract/http/attachment-rules";

const nameBytesMax = 255;

/**
 * A name that is safe as a file's name on every system and in a header: the last part of the path,
 * without characters that cannot be seen or that systems reserve, with an extension of the type.
 */
export function safeFileName(given: string, type: AttachmentType): string {
  const last = given.normalize("NFC").split(/[\\/]/).at(-1) ?? "";
  const tidy = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[<>:"|?*%;]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/gu, "");
  const extensions: readonly string[] = attachmentTypes[type].extensions;
  const own = path.extname(tidy).slice(1).toLowerCase();
  const fits = extensions.includes(own);
  const stem = fits ? tidy.slice(0, -own.length - 1) : tidy;
  const extension = fits ? own : (extensions[0] ?? "bin");
  return `${cut(stem === "" ? "file" : stem, nameBytesMax - extension.length - 1)}.${extension}`;
}

/** At most so many bytes of UTF-8, without cutting a character. */
function cut(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return bytes
    .toString("utf8", 0, bytesMax)
    .replace(/\uFFFD+$/, "")
    .trimEnd();
}

/** RFC 6266: the name in ASCII for old programs, and in UTF-8. */
export function contentDisposition(kind: "attachment" | "inline", name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
