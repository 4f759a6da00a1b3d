import multipart from "@fastify/multipart";
import type { MultipartCaps } from "@palisade/contract/http/route";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DomainError } from "#src/platform/errors/domain-error.ts";

const fieldBytesMax = 16 * 1024;
const fieldsMax = 64;
const nameBytesMax = 100;

/** Lets the routes of `scope` take forms, within these caps; nothing of one is written to disk. */
export async function takeForms(scope: FastifyInstance, caps: MultipartCaps): Promise<void> {
  await scope.register(multipart, {
    limits: { ...formLimits(caps.files, fieldBytesMax), fileSize: caps.fileBytes },
  });
}

/** The caps of the parser, apart from the size of a file. */
export function formLimits(files: number, fieldSize: number) {
  return {
    files,
    fields: fieldsMax,
    fieldSize,
    fieldNameSize: nameBytesMax,
    parts: fieldsMax + files,
    headerPairs: 10,
  };
}

/**
 * Runs before a byte of the body is read. Forms are what a page of another site may send unasked
 *: it has no token, and its form is refused even where it had one.
 */
export function refuseForeignForm(request: FastifyRequest, bodyBytesMax: number): void {
  if (!isForm(request)) return;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new DomainError("unsupported_media_type");
  }
  // One sent without its length is held to the caps of its parts.
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) {
    throw new DomainError("payload_too_large");
  }
}

export function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data(;|$)/i.test(request.headers["content-type"] ?? "");
}

/**
 * The form as the body the same call has in JSON: bracketed names are objects, files data URIs. The
 * contract's schema judges it as it judges JSON.
 */
export async function readForm(request: FastifyRequest): Promise<object> {
  const body: FormBody = Object.create(null);
  try {
    for await (const part of request.parts()) {
      const isCut = part.type === "field" && (part.fieldnameTruncated || part.valueTruncated);
      if (isCut) throw new DomainError("payload_too_large");
      const value = part.type === "field" ? String(part.value) : await dataUriOf(part);
      place(body, part.fieldname, value);
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return body;
}

interface FormBody {
  [name: string]: string | FormBody;
}

/** The type that the sender claims is not trusted, so it is not passed on. */
async function dataUriOf(file: { toBuffer(): Promise<Buffer> }): Promise<string> {
  const bytes = await file.toBuffer();
  // A file control without a choice, or its removal.
  if (bytes.length === 0) return "";
  return `data:application/octet-stream;base64,${bytes.toString("base64")}`;
}

/** `offline[motd_line1]` → `{offline: {motd_line1}}`. Objects without a prototype have none to spoil. */
function place(body: FormBody, name: string | undefined, value: string): void {
  const [, outer, inner] = /^(\w+)(?:\[(\w+)\])?$/.exec(name ?? "") ?? [];
  if (outer === undefined) return;
  if (inner === undefined) {
    body[outer] = value;
    return;
  }
  const group = body[outer];
  if (typeof group === "object") group[inner] = value;
  else body[outer] = Object.assign(Object.create(null), { [inner]: value });
}

/** The parser's own complaints are about what was sent, whatever they look like. */
export function asRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const isTooMuch = error instanceof Error && "statusCode" in error && error.statusCode === 413;
  return new DomainError(isTooMuch ? "payload_too_large" : "bad_request", { cause: error });
}
