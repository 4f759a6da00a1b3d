import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { BackendGroup, BackendServer } from "@palisade/contract/http/backends";
import { useId } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { parseBackendAddress } from "#src/lib/backend-address.ts";
import { addressFields } from "#src/ui/address-fields.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { FieldError } from "#src/ui/field-error.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./backends.module.css";
import { BedrockFields } from "./bedrock-fields.tsx";
import { bodyOf, serverForm, valuesOf, type ServerValues } from "./server-form.ts";
import type { BackendChanges } from "./use-backends.ts";

interface ServerDialogProps {
  readonly group: BackendGroup;
  /** Null to add one. */
  readonly server: BackendServer | null;
  /** Its settings for players of Bedrock are shown. */
  readonly hasBedrock: boolean;
  readonly changes: BackendChanges;
  readonly onClose: () => void;
}

export function ServerDialog({ group, server, hasBedrock, changes, onClose }: ServerDialogProps) {
  const { t } = useLingui();
  const id = useId();
  const { form, field, submit, placeIssues } = useContractForm(serverForm, valuesOf(server));
  const { name } = group;

  /** Fills both fields from `address:port`, as people paste and type it. */
  function takePort(text: string): boolean {
    const split = parseBackendAddress(text);
    if (split) form.setValues({ ip: split.host, port: String(split.port) });
    return split !== null;
  }

  function send(typed: ServerValues) {
    const address = bodyOf(typed, hasBedrock);
    const outcome = {
      onSuccess: onClose,
      onError: (error: unknown) => {
        const fallback =
          server === null ? t`Failed to add backend IP` : t`Failed to edit backend IP`;
        if (!placeIssues(fieldIssues(error))) toast("error", errorText(error, fallback));
      },
    };
    if (server === null) changes.addServer.mutate({ group, address }, outcome);
    else changes.updateServer.mutate({ group, server, address }, outcome);
  }

  const errorOf = (text: string | undefined) =>
    text === undefined ? undefined : <FieldError text={text} />;
  const [ip, port] = [field("ip"), field("port")];
  return (
    <Dialog
      opened
      title={server === null ? t`Add server to ${name}` : t`Edit server`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            type="submit"
            form={id}
            loading={changes.addServer.isPending || changes.updateServer.isPending}
          >
            {server === null ? <Trans>Add server</Trans> : <Trans>Save</Trans>}
          </ActionButton>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className={classes["fields"]}
        onSubmit={(event) => {
          // Enter leaves the field without a blur.
          takePort(form.getValues().ip);
          submit(send)(event);
        }}
      >
        <div className={addressFields.row}>
          <TextInput
            {...ip}
            onBlur={({ currentTarget }) => takePort(currentTarget.value)}
            onPaste={(event) => {
              if (takePort(event.clipboardData.getData("text/plain"))) event.preventDefault();
            }}
            error={errorOf(ip.error)}
            label={t`IP`}
            description={t`IPv4, IPv6 or a host name`}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder="203.0.113.10"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            classNames={addressFields.field}
          />
          <TextInput
            {...port}
            error={errorOf(port.error)}
            label={t`Port`}
            inputMode="numeric"
            autoComplete="off"
            classNames={addressFields.field}
          />
        </div>
        {hasBedrock ? <BedrockFields field={field} /> : null}
      </form>
    </Dialog>
  );
}
