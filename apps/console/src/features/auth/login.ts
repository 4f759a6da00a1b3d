import { useLingui } from "@lingui/react/macro";
import { authRoutes, type loggedIn, type loginBody } from "@palisade/contract/http/auth";
import { passkeyRoutes } from "@palisade/contract/http/passkeys";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { currentUserQuery } from "#src/api/current-user.ts";
import { errorText, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { beginSession } from "#src/api/session.ts";
import { safeNextPath } from "#src/lib/next-path.ts";
import { answerByPasskey, PasskeyDeclined } from "#src/lib/passkeys.ts";
import { paths } from "#src/lib/paths.ts";
import { toast } from "#src/ui/toasts.tsx";
import { loginEmail } from "./login-email.ts";
import { pendingEmail } from "./pending-email.ts";
import { startCooldown } from "./resend-cooldown.ts";
import { useDelayedRedirect } from "./delayed-redirect.ts";

const redirectDelayMs = 1200;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface LoginSteps {
  readonly onCodeRequired: (credentials: Credentials) => void;
  /** Returns true if it has shown the error itself. */
  readonly onRefused: (error: unknown) => boolean;
}

/** Begins the session of an answer and leads to the page that was asked for. */
function useEntry() {
  const navigate = useNavigate();
  const redirectLater = useDelayedRedirect();
  const { next } = useSearch({ from: "/auth" });
  return (data: z.output<typeof loggedIn>) => {
    beginSession(data.access_token, data.user);
    pendingEmail.clear();
    loginEmail.clear();
    queryClient.setQueryData(currentUserQuery.queryKey, data.user);
    toast("success", data.message);
    redirectLater(
      () => void navigate({ href: safeNextPath(next) ?? paths.dashboard }),
      redirectDelayMs,
    );
  };
}

/** Logs in with a passkey, which the user chooses in the browser's own dialog. */
export function usePasskeyLogin() {
  const { t } = useLingui();
  const enter = useEntry();
  const login = useMutation({
    mutationFn: async () => {
      const { data } = await call(passkeyRoutes.beginPasskeyLogin, {});
      const credential = await answerByPasskey(data.options);
      return (await call(passkeyRoutes.logInWithPasskey, { body: { credential } })).data;
    },
    onSuccess: enter,
    onError: (error) => {
      const isDeclined = error instanceof PasskeyDeclined;
      if (isDeclined)
        toast("info", t`No passkey was used. Try again, or log in with your password.`);
      else toast("error", errorText(error, t`Login failed`));
    },
  });
  return { start: () => login.mutate(), busy: login.isPending || login.isSuccess };
}

export function useLogin({ onCodeRequired, onRefused }: LoginSteps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const enter = useEntry();

  const login = useMutation({
    mutationFn: (body: z.input<typeof loginBody>) => call(authRoutes.login, { body }),
    onSuccess: ({ data }, { email, password }) => {
      if (data.requires_two_factor) {
        onCodeRequired({ email, password });
        return;
      }
      enter(data);
    },
    onError: async (error, { email }) => {
      if (hasCode(error, "email_unverified")) {
        await askForCode(email);
        await navigate({ to: paths.confirm });
        return;
      }
      if (!onRefused(error)) toast("error", errorText(error, t`Login failed`));
    },
  });
  const isIn = login.data?.data.requires_two_factor === false;
  return { submit: login.mutate, busy: login.isPending || isIn };
}

/** The password was right but the e-mail is not confirmed: send a new code, then ask for it. */
async function askForCode(email: string): Promise<void> {
  pendingEmail.store(email.trim());
  try {
    const { data } = await call(authRoutes.resendVerificationCode, { body: { email } });
    toast("info", data.message);
    startCooldown("verification");
  } catch {
    // A code sent less than two minutes ago is still valid, and the page offers to send another.
  }
}
