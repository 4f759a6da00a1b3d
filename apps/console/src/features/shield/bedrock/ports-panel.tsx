import { Trans, useLingui } from "@lingui/react/macro";
import type { Bedrock, BedrockPort } from "@palisade/contract/http/bedrock";
import type { Server } from "@palisade/contract/http/servers";
import { IconDeviceMobile, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { ContactSupport } from "#src/ui/contact-support.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./bedrock.module.css";
import type { BedrockChanges } from "./use-bedrock.ts";

interface PortsPanelProps {
  readonly shield: Server;
  readonly bedrock: Bedrock;
  readonly changes: BedrockChanges;
}

export function PortsPanel({ shield, bedrock, changes }: PortsPanelProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const [asked, setAsked] = useState<BedrockPort | null>(null);
  const { ports, ports_max: max } = bedrock;
  const used = ports.length;
  const buttons = mayChange ? <AddButtons bedrock={bedrock} changes={changes} /> : null;
  const isClosed = used > 0 && !bedrock.bedrock_enabled;
  return (
    <Panel
      prominent
      title={<Trans>Ports</Trans>}
      note={
        <Trans>
          {used} of {max} ports. Bedrock asks players for an address and a port.
        </Trans>
      }
    >
      {used === 0 ? (
        <EmptyState
          compact
          icon={<IconDeviceMobile size={22} stroke={1.6} />}
          title={t`No ports added yet.`}
          text={<Trans>Players of Bedrock join through a port of the shield.</Trans>}
          action={buttons}
        />
      ) : (
        <ul className={classes["ports"]} aria-label={t`Ports`}>
          {ports.map((port) => (
            <PortRow
              key={port.id}
              port={port}
              isDefault={port.port === bedrock.default_port}
              isRemoving={changes.remove.isPending && changes.remove.variables === port.id}
              onRemove={() => setAsked(port)}
            />
          ))}
        </ul>
      )}
      {isClosed ? (
        <p className={classes["closed"]}>
          <Trans>Bedrock is off, so these ports are closed.</Trans>
        </p>
      ) : null}
      {used === 0 ? null : buttons}
      {bedrock.request_default_available ? (
        <DefaultPort port={bedrock.default_port} shieldId={shield.id} />
      ) : null}
      {asked === null ? null : (
        <DeleteDialog
          port={asked}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            changes.remove.mutate(asked.id);
          }}
        />
      )}
    </Panel>
  );
}

const addressOf = ({ domain, port }: BedrockPort): string => `${domain}:${port}`;

interface PortRowProps {
  readonly port: BedrockPort;
  readonly isDefault: boolean;
  readonly isRemoving: boolean;
  readonly onRemove: () => void;
}

function PortRow({ port, isDefault, isRemoving, onRemove }: PortRowProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const address = addressOf(port);
  const { port: number } = port;
  return (
    <li className={classes["port"]}>
      <span className={`${classes["address"]} mono`}>
        {port.domain}
        <wbr />
        <strong>:{number}</strong>{" "}
        {isDefault ? (
          <span className={classes["badge"]}>
            <Trans context="port">default</Trans>
          </span>
        ) : null}
        <small>{port.id}</small>
      </span>
      <CopyButton value={address} label={t`Copy ${address}`} />
      {mayChange ? (
        <RemoveButton label={t`Delete port ${number}`} loading={isRemoving} onClick={onRemove} />
      ) : null}
    </li>
  );
}

function AddButtons({ bedrock, changes }: Omit<PortsPanelProps, "shield">) {
  const { addRandom, addDefault } = changes;
  const { default_port: standard } = bedrock;
  if (!bedrock.add_random_available && !bedrock.add_default_available) return null;
  const plus = <IconPlus size={15} stroke={1.8} aria-hidden="true" />;
  return (
    <div className={classes["buttons"]}>
      {bedrock.add_random_available ? (
        <ActionButton
          size="xs"
          leftSection={plus}
          loading={addRandom.isPending}
          disabled={addDefault.isPending}
          onClick={() => addRandom.mutate()}
        >
          <Trans>Add random port</Trans>
        </ActionButton>
      ) : null}
      {bedrock.add_default_available ? (
        <ActionButton
          size="xs"
          variant="default"
          leftSection={plus}
          loading={addDefault.isPending}
          disabled={addRandom.isPending}
          onClick={() => addDefault.mutate()}
        >
          <Trans>Add default port ({standard})</Trans>
        </ActionButton>
      ) : null}
    </div>
  );
}

function DefaultPort({ port, shieldId }: { readonly port: number; readonly shieldId: string }) {
  const { t } = useLingui();
  return (
    <p className={classes["request"]}>
      <Trans>
        With the default port {port}, players need not type a port. It must be requested from
        support.
      </Trans>{" "}
      <ContactSupport
        category="technical"
        subject={t`Default Bedrock port (${port})`}
        shieldId={shieldId}
      >
        <Trans>Request the default port</Trans>
      </ContactSupport>
    </p>
  );
}

interface DeleteDialogProps {
  readonly port: BedrockPort;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function DeleteDialog({ port, onClose, onConfirm }: DeleteDialogProps) {
  const { t } = useLingui();
  const { port: number } = port;
  const address = addressOf(port);
  return (
    <ConfirmDialog
      opened
      title={t`Delete port ${number}?`}
      action={t`Delete port`}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        <Trans>
          Players who have saved {address} can no longer join there. After a day, another shield may
          get the port.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}
