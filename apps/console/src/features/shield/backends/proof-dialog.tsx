import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { BackendGroup, BackendServer } from "@palisade/contract/http/backends";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { errorText } from "#src/api/errors.ts";
import { formatBackendAddress } from "#src/lib/backend-address.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { DnsRecord } from "#src/ui/dns-record.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./backends.module.css";
import { useProofCheck } from "./use-proof-check.ts";

interface ProofDialogProps {
  readonly shieldId: string;
  readonly group: BackendGroup;
  /** As it is now. */
  readonly server: BackendServer;
  readonly token: string;
  readonly onClose: () => void;
}

/** Tells an owner how to prove a server, and has a button that looks again. */
export function ProofDialog({ shieldId, group, server, token, onClose }: ProofDialogProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const address = formatBackendAddress(server);
  const check = useProofCheck(shieldId, group, server);
  const isProven = server.proof.proven;
  return (
    <Dialog
      opened
      wide
      title={t`Prove that ${address} is yours`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          {mayChange ? (
            <ActionButton
              loading={check.isPending}
              disabled={isProven}
              onClick={() => check.mutate()}
            >
              <Trans>Check again</Trans>
            </ActionButton>
          ) : null}
        </>
      }
    >
      <div className={classes["proof"]}>
        {isProven ? (
          <Banner tone="protected" live="polite" icon={<IconCircleCheck size={17} stroke={1.6} />}>
            <Trans>The server is proven: players are sent to it.</Trans>
          </Banner>
        ) : (
          <>
            <Reason group={group} server={server} />
            <CopiedValue value={token} label={t`Copy the token`} />
            <Ways
              isMinecraft={group.game === "minecraft"}
              token={token}
              records={check.data?.data.records}
            />
            <Outcome check={check} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Why no players are sent to the server, and what the token is for. */
function Reason({ group, server }: Pick<ProofDialogProps, "group" | "server">) {
  const { last_error: seen } = server.health;
  if (group.game !== "minecraft") {
    return (
      <p>
        <Trans>
          Players are sent to a server that is not for Minecraft once you have proved that it is
          yours. Otherwise anyone could send traffic to a server of someone else. Show this token in
          one of the places below:
        </Trans>
      </p>
    );
  }
  return (
    <>
      <p>
        <Trans>
          Players are sent to a server once it has answered as a Minecraft server. The edges ask it
          every few minutes: start it, and check that its firewall lets the edges in.
        </Trans>
      </p>
      {seen === null ? null : (
        <Banner tone="attack" icon={<IconAlertTriangle size={17} stroke={1.6} />}>
          <Trans>What the edges see: {seen}</Trans>
        </Banner>
      )}
      <h3 className={classes["otherwise"]}>
        <Trans>If it answers no status requests</Trans>
      </h3>
      <p>
        <Trans>Prove that it is yours: show this token in one of the places below.</Trans>
      </p>
    </>
  );
}

function CopiedValue({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <div className={classes["token"]}>
      <span className="mono">{value}</span>
      <CopyButton value={value} label={label} />
    </div>
  );
}

interface WaysProps {
  readonly isMinecraft: boolean;
  readonly token: string;
  /** Names under which a record would be found; undefined before a check. */
  readonly records: readonly { readonly name: string }[] | undefined;
}

function Ways({ isMinecraft, token, records }: WaysProps) {
  const { t } = useLingui();
  return (
    <ul className={classes["ways"]}>
      {isMinecraft ? (
        <li>
          <Trans>In the MOTD. You can remove it once the server is proven.</Trans>
        </li>
      ) : null}
      <li>
        <Trans>
          On the port itself: a program that sends the token as the first line to everyone who
          connects. It is needed for a moment only.
        </Trans>
      </li>
      <li>
        <Trans>
          In a TXT record below the name that the server's IP address has in reverse DNS. Your
          hosting provider sets that name.
        </Trans>{" "}
        {records === undefined ? (
          <Trans>After a check, the record is shown here.</Trans>
        ) : records.length === 0 ? (
          <Trans>The check found no such name.</Trans>
        ) : null}
        {records?.map(({ name }) => (
          <DnsRecord
            key={name}
            type="TXT"
            parts={[
              { label: t`Name`, value: name, copy: t`Copy the name ${name}` },
              { label: t`Value`, value: token, copy: t`Copy the value for ${name}` },
            ]}
          />
        ))}
      </li>
    </ul>
  );
}

/** On a phone it would be below the buttons, out of sight. */
function Outcome({ check }: { readonly check: ReturnType<typeof useProofCheck> }) {
  const { t } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const { isError, isSuccess } = check;
  useEffect(() => {
    if (isError || isSuccess) place.current?.scrollIntoView({ block: "nearest" });
  }, [isError, isSuccess]);
  return (
    <div ref={place} className={classes["outcome"]}>
      {check.isError ? (
        <Banner tone="danger" live="assertive" icon={<IconAlertTriangle size={17} stroke={1.6} />}>
          {errorText(check.error, t`The check could not be made`)}
        </Banner>
      ) : null}
      {check.isSuccess ? (
        <Banner tone="neutral" live="polite" icon={<IconInfoCircle size={17} stroke={1.6} />}>
          {check.data.data.message}
        </Banner>
      ) : null}
    </div>
  );
}
