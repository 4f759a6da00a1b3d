import type * as Koffi from "koffi";

/** This machine cannot run the packet path. Its message says what is needed. */
export class UnsupportedPlatformError extends Error {
  override readonly name = "UnsupportedPlatformError";
}

const architectures = new Set(["x64", "arm64"]);

/** Checked before koffi is loaded, whose own message does not name the platform. */
async function loadKoffi(): Promise<typeof Koffi> {
  const { platform, arch } = process;
  if (platform !== "linux" || !architectures.has(arch)) {
    throw new UnsupportedPlatformError(
      `The edge needs Linux on x64 or arm64; this is ${platform} on ${arch}`,
    );
  }
  try {
    return await import("koffi");
  } catch (error) {
    throw new UnsupportedPlatformError(
      `The edge needs the part of koffi for ${platform} on ${arch}; npm installs it as an optional ` +
        "package, so install without --omit=optional",
      { cause: error },
    );
  }
}

/** The library that calls C functions. */
export const koffi = await loadKoffi();
