import { Trans } from "@lingui/react/macro";
import { RelativeTime } from "#src/ui/time.tsx";

/** When a key or passkey was used last; `null`: never. */
export function LastUsed({ at }: { readonly at: string | null }) {
  return at === null ? (
    <Trans>Never used</Trans>
  ) : (
    <Trans>
      Used <RelativeTime at={at} />
    </Trans>
  );
}
