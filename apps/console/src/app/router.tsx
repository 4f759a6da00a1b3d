import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { onTwoFactorRequired } from "#src/api/client.ts";
import { onSessionEnd, readToken } from "#src/api/session.ts";
import { auditSearch } from "#src/features/audit/audit-search.ts";
import { pendingEmail } from "#src/features/auth/pending-email.ts";
import { pendingReset } from "#src/features/auth/pending-reset.ts";
import { billingSearch } from "#src/features/billing/billing-search.ts";
import { invitationToken } from "#src/features/invitation/invitation-token.ts";
import { takeLinkToken } from "#src/features/profile/confirm-email/confirm-token.ts";
import { shieldSearch } from "#src/features/shield/shield-search.ts";
import { sectionOf } from "#src/features/shield/sections.ts";
import { supportSearch } from "#src/features/support/support-search.ts";
import { safeNextPath } from "#src/lib/next-path.ts";
import { needsSession, paths } from "#src/lib/paths.ts";
import { oneOf, searchOf, text, wholeNumber } from "#src/lib/search-params.ts";
import { FullScreenLoader } from "#src/ui/loader.tsx";
import { leaveErrorsBehind } from "#src/ui/toasts.tsx";
import { CrashPage, NotFoundInShell, NotFoundPage } from "#src/ui/error-pages.tsx";
import { requireNoUser, requireStaff, requireUser, twoFactorSetUp } from "./guards.ts";
import { withTexts } from "./locale.ts";
import { Root } from "./root.tsx";

const logoutRedirectDelayMs = 10;
/** The root component shows `message` and `error` as toasts and removes them. */
const authSearch = searchOf({ next: text(), message: text(), error: text() });
const serversSearch = searchOf({ page: wholeNumber(1), status: oneOf({ deleted: true }) });
const setupSearch = searchOf({ step: wholeNumber(1), part: oneOf({ records: true }) });
const tabSearch = searchOf({ tab: text() });

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  // The landing page is another document.
  beforeLoad: () => {
    throw redirect({ href: "/", reloadDocument: true });
  },
});

const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "auth",
  validateSearch: authSearch,
  // Keeps the target of the redirect from one auth page to the next.
  search: { middlewares: [retainSearchParams(["next"])] },
  beforeLoad: ({ search }) => requireNoUser(search.next),
  component: lazyRouteComponent(() => import("#src/features/auth/auth-layout.tsx"), "AuthLayout"),
});

const loginRoute = createRoute({
  getParentRoute: () => authRoute,
  path: "/login",
  component: lazyRouteComponent(() => import("#src/features/auth/login-page.tsx"), "LoginPage"),
});

const registerRoute = createRoute({
  getParentRoute: () => authRoute,
  path: "/register",
  component: lazyRouteComponent(
    () => import("#src/features/auth/register-page.tsx"),
    "RegisterPage",
  ),
});

const confirmRoute = createRoute({
  getParentRoute: () => authRoute,
  path: "/confirm",
  beforeLoad: () => {
    if (pendingEmail.read() === null) throw redirect({ to: paths.register });
  },
  component: lazyRouteComponent(() => import("#src/features/auth/confirm-page.tsx"), "ConfirmPage"),
});

const resetRoute = createRoute({
  getParentRoute: () => authRoute,
  path: "/reset-password",
  component: lazyRouteComponent(
    () => import("#src/features/auth/reset-request-page.tsx"),
    "ResetRequestPage",
  ),
});

const resetCodeRoute = createRoute({
  getParentRoute: () => authRoute,
  path: "/reset-password/confirm",
  component: lazyRouteComponent(
    () => import("#src/features/auth/reset-code-page.tsx"),
    "ResetCodePage",
  ),
});

const newPasswordRoute = createRoute({
  getParentRoute: () => authRoute,
  path: "/reset-password/new",
  beforeLoad: () => {
    if (pendingReset.readEmail() !== null) return;
    throw redirect({ to: paths.resetPassword, search: { error: "reset_expired" } });
  },
  component: lazyRouteComponent(
    () => import("#src/features/auth/new-password-page.tsx"),
    "NewPasswordPage",
  ),
});

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/dashboard",
  beforeLoad: ({ location }) => requireUser(location),
  component: lazyRouteComponent(() => import("./shell/shell.tsx"), "Shell"),
  notFoundComponent: NotFoundInShell,
});

const serversRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/",
  validateSearch: serversSearch,
  component: lazyRouteComponent(
    () => import("#src/features/dashboard/dashboard-page.tsx"),
    "DashboardPage",
  ),
});

const setupRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/setup",
  validateSearch: setupSearch,
  component: lazyRouteComponent(
    () => withTexts("setup", import("#src/features/setup/setup-page.tsx")),
    "SetupPage",
  ),
});

const billingRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/billing",
  validateSearch: billingSearch,
  component: lazyRouteComponent(
    () => withTexts("billing", import("#src/features/billing/billing-page.tsx")),
    "BillingPage",
  ),
});

const profileRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/profile",
  validateSearch: tabSearch,
  component: lazyRouteComponent(
    () => withTexts("profile", import("#src/features/profile/profile-page.tsx")),
    "ProfilePage",
  ),
});

const supportRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/support",
  validateSearch: supportSearch,
  component: lazyRouteComponent(
    () => withTexts("support", import("#src/features/support/support-page.tsx")),
    "SupportPage",
  ),
});

const ticketRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/support/ticket/$ticketId",
  component: lazyRouteComponent(
    () => withTexts("support", import("#src/features/support/ticket/ticket-page.tsx")),
    "TicketPage",
  ),
});

const supportPlansRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/support/plans",
  component: lazyRouteComponent(
    () => withTexts("supportPlans", import("#src/features/support-plans/support-plans-page.tsx")),
    "SupportPlansPage",
  ),
});

const auditRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/audit-logs",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("#src/features/audit/audit-page.tsx"), "AuditPage"),
});

// Public: the link in the mail works on any device, signed in or not.
const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/confirm-email",
  beforeLoad: ({ location }) => {
    if (takeLinkToken(location.hash)) throw redirect({ to: paths.confirmEmail, replace: true });
  },
  component: lazyRouteComponent(
    () =>
      withTexts("profile", import("#src/features/profile/confirm-email/confirm-email-page.tsx")),
    "ConfirmEmailPage",
  ),
});

// Public: an invited person may have no account yet. It uses the layout of the auth pages.
const invitedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "invited",
  component: lazyRouteComponent(() => import("#src/features/auth/auth-layout.tsx"), "AuthLayout"),
});

const invitationRoute = createRoute({
  getParentRoute: () => invitedRoute,
  path: "/invitation",
  beforeLoad: ({ location }) => {
    if (invitationToken.store(location.hash))
      throw redirect({ to: paths.invitation, replace: true });
  },
  component: lazyRouteComponent(
    () => import("#src/features/invitation/invitation-page.tsx"),
    "InvitationPage",
  ),
});

// Public: for anyone with the link, whose token is in the fragment.
const sharedAttackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.sharedAttack,
  component: lazyRouteComponent(
    () => withTexts("shield", import("#src/features/shield/attacks/shared-attack-page.tsx")),
    "SharedAttackPage",
  ),
});

const shieldRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/gameshield/$shieldId/{-$section}",
  validateSearch: shieldSearch,
  beforeLoad: ({ params, search }) => {
    const section = params.section?.toLowerCase();
    if (section === params.section || sectionOf(section) === null) return;
    throw redirect({
      to: paths.shield,
      params: { ...params, section },
      search,
      replace: true,
    });
  },
  component: lazyRouteComponent(
    () => withTexts("shield", import("#src/features/shield/shield-page.tsx")),
    "ShieldPage",
  ),
});

const noShieldRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: "/gameshield",
  component: lazyRouteComponent(
    () => withTexts("shield", import("#src/features/shield/shield-not-found-page.tsx")),
    "ShieldNotFoundPage",
  ),
});

const staffRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.staff,
  beforeLoad: ({ location }) => requireStaff(location),
  component: lazyRouteComponent(
    () => withTexts("staff", import("./staff/staff-shell.tsx")),
    "StaffShell",
  ),
});

// One route for all sections: `staffSections` names their pages, which read their own parameters.
const staffPageRoute = createRoute({
  getParentRoute: () => staffRoute,
  path: "/{-$section}/{-$id}",
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(
    () => withTexts("staff", import("#src/features/staff/staff-page.tsx")),
    "StaffPage",
  ),
});

// Decided at build time, so that neither the route nor the page is shipped.
const developmentRoutes = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => rootRoute,
        path: "/gallery",
        component: lazyRouteComponent(
          () => import("#src/features/gallery/gallery-page.tsx"),
          "GalleryPage",
        ),
      }),
    ]
  : [];

const routeTree = rootRoute.addChildren([
  indexRoute,
  authRoute.addChildren([
    loginRoute,
    registerRoute,
    confirmRoute,
    resetRoute,
    resetCodeRoute,
    newPasswordRoute,
  ]),
  dashboardRoute.addChildren([
    serversRoute,
    billingRoute,
    profileRoute,
    supportRoute,
    ticketRoute,
    supportPlansRoute,
    auditRoute,
    setupRoute,
    noShieldRoute,
    shieldRoute,
  ]),
  staffRoute.addChildren([staffPageRoute]),
  confirmEmailRoute,
  invitedRoute.addChildren([invitationRoute]),
  sharedAttackRoute,
  ...developmentRoutes,
]);

export function createConsoleRouter() {
  const router = createRouter({
    routeTree,
    defaultPreload: "intent",
    scrollRestoration: false,
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultPendingComponent: FullScreenLoader,
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
  });

  router.subscribe("onBeforeLoad", ({ pathChanged }) => {
    if (pathChanged) leaveErrorsBehind();
  });
  router.subscribe("onResolved", ({ pathChanged }) => {
    if (pathChanged) globalThis.scrollTo(0, 0);
  });

  onSessionEnd((reason) => {
    const { href, pathname } = router.state.location;
    if (!needsSession(pathname)) return;
    // Do not ask about unsaved changes: nothing can be saved without a session.
    if (reason === "replaced") {
      router.history.go(0, { ignoreBlocker: true });
      return;
    }
    const search =
      reason === "expired"
        ? { next: safeNextPath(href) ?? undefined, error: "session_expired" }
        : {};
    setTimeout(() => {
      void router.navigate({ to: paths.login, search, ignoreBlocker: true });
    }, logoutRedirectDelayMs);
  });

  onTwoFactorRequired(() => {
    if (router.state.location.pathname !== paths.profile)
      void router.navigate({ href: twoFactorSetUp });
  });

  return router;
}

/**
 * Preloads the code of the page at the address, and the data of a shield's page, unless a guard will
 * redirect. A failure is retried and reported when the page is shown.
 */
export function preloadFirstPage(router: ReturnType<typeof createConsoleRouter>): void {
  const { pathname, search } = router.latestLocation;
  const isSignedIn = readToken() !== null;
  if (isSignedIn !== needsSession(pathname)) return;
  const [routes, parameters] = router.getMatchedRoutes(pathname);
  for (const route of routes) {
    void router.loadRouteChunk(route)?.catch(() => undefined);
  }
  const { shieldId, section: segment } = parameters;
  if (shieldId !== undefined) {
    import("#src/features/shield/preload-shield.ts")
      .then(({ preloadShield }) =>
        preloadShield({ shieldId, segment, search: shieldSearch(search) }),
      )
      .catch(() => undefined);
  }
}
