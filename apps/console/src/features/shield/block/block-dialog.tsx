import { Trans, useLingui } from "@lingui/react/macro";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import type { useBlock } from "./use-block.ts";

/** Asks whether to turn on the list that an address is to be put on. */
export function BlockDialog({ block }: { readonly block: ReturnType<typeof useBlock> }) {
  const { t } = useLingui();
  return (
    <ConfirmDialog
      opened={block.asked !== null}
      title={block.asked?.type === "whitelist" ? t`The whitelist is off` : t`The blacklist is off`}
      action={t`Turn on and add`}
      onClose={block.decline}
      onConfirm={block.confirm}
    >
      <p>
        {block.asked?.type === "whitelist" ? (
          <Trans>
            An entry has no effect while the whitelist is off. Turned on, all of its entries are
            excluded from bot checks.
          </Trans>
        ) : (
          <Trans>
            An entry has no effect while the blacklist is off. Turned on, all of its entries are
            blocked at the edge.
          </Trans>
        )}
      </p>
    </ConfirmDialog>
  );
}
