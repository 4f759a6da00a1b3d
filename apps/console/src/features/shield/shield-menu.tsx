import { Menu, UnstyledButton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { IconDots, IconPencil, IconTrash } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { DeleteDialog } from "./delete-dialog.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { mayRename } from "./shield-rights.ts";
import classes from "./shield.module.css";

/** Actions on the whole shield; only its owner may delete it. */
export function ShieldMenu({ shield }: { shield: Server }) {
  const { t } = useLingui();
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const target = useRef<HTMLButtonElement>(null);
  const isOwner = shield.role === "owner";
  const canRename = shield.status === "active" && mayRename(shield);
  // An empty menu is not shown.
  if (!isOwner && !canRename) return null;

  function close() {
    setDialog(null);
    // The menu item that opened the dialog no longer exists.
    requestAnimationFrame(() => target.current?.focus());
  }

  return (
    <>
      <Menu>
        <Menu.Target>
          <UnstyledButton
            ref={target}
            className={classes["options"] ?? ""}
            aria-label={t`Options of the server`}
          >
            <IconDots size={18} stroke={1.8} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {canRename ? (
            <Menu.Item
              leftSection={<IconPencil size={16} stroke={1.6} />}
              onClick={() => setDialog("rename")}
            >
              <Trans>Rename</Trans>
            </Menu.Item>
          ) : null}
          {isOwner ? (
            <Menu.Item
              className={classes["danger"] ?? ""}
              leftSection={<IconTrash size={16} stroke={1.6} />}
              onClick={() => setDialog("delete")}
            >
              <Trans>Delete</Trans>
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {dialog === "rename" ? <RenameDialog shield={shield} onClose={close} /> : null}
      {dialog === "delete" ? <DeleteDialog shield={shield} onClose={close} /> : null}
    </>
  );
}
