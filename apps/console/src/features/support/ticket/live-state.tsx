import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { IconPlugConnectedX } from "@tabler/icons-react";
import type { TicketChannel } from "#src/api/use-ticket-channel.ts";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./ticket.module.css";

/** Says when messages do not arrive by themselves, and what helps. */
export function LiveState({ channel }: { channel: TicketChannel }) {
  const { state, people } = channel;
  if (state === "live") return <Presence isHere={people.some((person) => person.is_admin)} />;
  if (state === "reconnecting") {
    return (
      <Banner tone="attack" live="polite" icon={<IconPlugConnectedX size={17} stroke={1.6} />}>
        <Trans>Connection error. Some features may not work properly.</Trans>
      </Banner>
    );
  }
  if (state !== "failed" && state !== "refused") return null;
  return (
    <Banner
      tone="danger"
      stacks
      live="polite"
      icon={<IconPlugConnectedX size={17} stroke={1.6} />}
      aside={
        <Button size="xs" variant="default" onClick={channel.reconnect}>
          <Trans>Reconnect</Trans>
        </Button>
      }
    >
      {state === "refused" ? (
        <Trans>Authentication failed. Please refresh the page.</Trans>
      ) : (
        <Trans>Connection lost. Please refresh the page.</Trans>
      )}
    </Banner>
  );
}

function Presence({ isHere }: { isHere: boolean }) {
  if (!isHere) return null;
  return (
    <p className={classes["presence"]} role="status">
      <span aria-hidden="true" />
      <Trans>Support is reading this ticket.</Trans>
    </p>
  );
}
