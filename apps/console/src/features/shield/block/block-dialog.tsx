import { Trans, useLingui } from "@lingui/react/macro";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { AllowedNameNote } from "./name-notes.tsx";
import { isNameToAllow, type useBlock } from "./use-block.ts";

/** Asks whether to turn on the list that an entry is to be put on, and whether to allow a name. */
export function BlockDialog({ block }: { readonly block: ReturnType<typeof useBlock> }) {
  const { t } = useLingui();
  const { asked } = block;
  const name = asked?.ip ?? "";
  const titles = { blacklist: t`The blacklist is off`, whitelist: t`The whitelist is off` };
  return (
    <ConfirmDialog
      opened={asked !== null}
      title={asked?.isOn === true ? t`Allow the name ${name}` : titles[asked?.type ?? "blacklist"]}
      action={asked?.isOn === true ? t`Allow name` : t`Turn on and add`}
      onClose={block.decline}
      onConfirm={block.confirm}
    >
      {asked?.isOn === true ? null : (
        <p>
          {asked?.type === "whitelist" ? (
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
      )}
      {asked !== null && isNameToAllow(asked) ? (
        <p>
          <AllowedNameNote />
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
