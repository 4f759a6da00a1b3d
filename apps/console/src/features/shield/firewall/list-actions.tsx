import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { IconDownload, IconTrash, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { useMayChange } from "../may-change.ts";
import type { ListType } from "./firewall-diff.ts";
import classes from "./firewall.module.css";
import { ImportDialog } from "./import-dialog.tsx";
import type { useLists } from "./use-lists.ts";

interface ListActionsProps {
  readonly list: ListType;
  readonly size: number;
  readonly lists: ReturnType<typeof useLists>;
}

export function ListActions({ list, size, lists }: ListActionsProps) {
  const { t } = useLingui();
  const [dialog, setDialog] = useState<"import" | "clear" | null>(null);
  const close = () => setDialog(null);
  const mayChange = useMayChange();
  if (size === 0 && !mayChange) return null;
  return (
    <div className={classes["tools"]}>
      {mayChange ? (
        <ActionButton
          variant="default"
          size="compact-sm"
          leftSection={<IconUpload size={15} stroke={1.6} />}
          loading={lists.put.isPending && dialog === null}
          onClick={() => setDialog("import")}
        >
          <Trans>Import</Trans>
        </ActionButton>
      ) : null}
      {size > 0 ? (
        <ActionButton
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} stroke={1.6} />}
          loading={lists.save.isPending}
          onClick={() => lists.save.mutate()}
        >
          <Trans>Export CSV</Trans>
        </ActionButton>
      ) : null}
      {size > 0 && mayChange ? (
        <ActionButton
          variant="default"
          size="compact-sm"
          leftSection={<IconTrash size={15} stroke={1.6} />}
          loading={lists.isClearing}
          onClick={() => setDialog("clear")}
        >
          <Trans>Remove all</Trans>
        </ActionButton>
      ) : null}
      {dialog === "import" ? <ImportDialog list={list} put={lists.put} onClose={close} /> : null}
      <ConfirmDialog
        opened={dialog === "clear"}
        title={list === "blacklist" ? t`Empty the blacklist` : t`Empty the whitelist`}
        action={t`Remove all`}
        onClose={close}
        onConfirm={() => {
          close();
          lists.clear();
        }}
      >
        {list === "blacklist" ? (
          <Trans>
            <Plural
              value={size}
              one="The only entry is removed."
              other="All # entries are removed."
            />{" "}
            Blocked players can join again.
          </Trans>
        ) : (
          <Trans>
            <Plural
              value={size}
              one="The only entry is removed."
              other="All # entries are removed."
            />{" "}
            With 'Whitelist only' on, no players can join after that.
          </Trans>
        )}
      </ConfirmDialog>
    </div>
  );
}
