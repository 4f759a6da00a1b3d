import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { BackendGroup, BackendServer } from "@palisade/contract/http/backends";
import { IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import { errorText } from "#src/api/errors.ts";
import { formatBackendAddress } from "#src/lib/backend-address.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { DnsRecord } from "#src/ui/dns-record.tsx";
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
          <ActionButton
            loading={check.isPending}
            disabled={isProven}
            onClick={() => check.mutate()}
          >
            <Trans>Check again</Trans>
          </ActionButton>
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
            <p>
              {group.game === "minecraft" ? (
                <Trans>
                  Players are sent to a server once it has answered as a Minecraft server. The edges
                  ask it every few minutes: start it, and check that its firewall lets the edges in.
                  A server that does not answer status requests needs a proof that it is yours.
                </Trans>
              ) : (
                <Trans>
                  Players are sent to a server that is not for Minecraft once you have proved that
                  it is yours. Otherwise anyone could send traffic to a server of someone else.
                </Trans>
              )}
            </p>
            <div className={classes["token"]}>
              <span className="mono">{token}</span>
              <CopyButton value={token} label={t`Copy the token`} />
            </div>
            <Ways game={group.game} token={token} records={check.data?.data.records ?? []} />
            {check.isError ? (
              <Banner
                tone="danger"
                live="assertive"
                icon={<IconInfoCircle size={17} stroke={1.6} />}
              >
                {errorText(check.error, t`The check could not be made`)}
              </Banner>
            ) : null}
            {check.isSuccess ? (
              <Banner tone="neutral" live="polite" icon={<IconInfoCircle size={17} stroke={1.6} />}>
                {check.data.data.message}
              </Banner>
            ) : null}
          </>
        )}
      </div>
    </Dialog>
  );
}

interface WaysProps {
  readonly game: BackendGroup["game"];
  readonly token: string;
  /** Names under which a record would be found, known after a check. */
  readonly records: readonly { readonly name: string }[];
}

function Ways({ game, token, records }: WaysProps) {
  const { t } = useLingui();
  return (
    <>
      <p>
        <Trans>Show the token above in one of these places:</Trans>
      </p>
      <ul className={classes["ways"]}>
        {game === "minecraft" ? (
          <li>
            <Trans>In the MOTD of a Minecraft server. You can remove it once it was found.</Trans>
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
            hosting provider sets that name; the check shows the record.
          </Trans>
        </li>
      </ul>
      {records.map(({ name }) => (
        <DnsRecord
          key={name}
          type="TXT"
          parts={[
            { label: t`Name`, value: name, copy: t`Copy the name ${name}` },
            { label: t`Value`, value: token, copy: t`Copy the value for ${name}` },
          ]}
        />
      ))}
    </>
  );
}
