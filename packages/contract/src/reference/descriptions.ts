import type { RouteId } from "../http/routes.ts";

/** Additions to the summary of a call: for the reference, in Markdown. */
export const descriptions: Readonly<Partial<Record<RouteId, string>>> = {
  "auth.register":
    "Mails a confirmation code of 8 characters that is good for 10 minutes and five tries. The answer is the same for an address that already has an account; its owner is told by mail. Sets the `palisade_pending` cookie (over https, the names of all cookies begin with `__Host-`), by which the code can be confirmed without the e-mail.",
  "auth.verifyEmailCode":
    "Without `email` the code belongs to the registration that this browser began: it needs the `palisade_pending` cookie, and the `XSRF-TOKEN` cookie sent back as `X-XSRF-TOKEN` header.",
  "auth.resendVerificationCode":
    "The codes before it are void. Answers alike for unknown and for confirmed addresses.",
  "auth.login":
    "Answers 200 with `requires_two_factor: true` and no token where the password is right and two-factor is on: call again with `two_factor_code`, from the authenticator or a backup code. `email_unverified` is only said to who knows the password.",
  "auth.user": "The cheapest call to find out whether a token or key still works, and whose it is.",
  "auth.logout": "Ends the session of this access token; others stay.",
  "auth.forgotPassword":
    "Mails a code of 8 characters, good for 10 minutes and five tries. Answers alike for unknown addresses.",
  "auth.resendResetCode": "The codes before it are void. Answers alike for unknown addresses.",
  "auth.verifyResetCode":
    "Uses nothing up where the code is right; a wrong one takes one of its five tries.",
  "auth.resetPassword":
    "Ends every session and revokes every API key. Two-factor authentication stays on.",

  "twoFactor.setup":
    "The secret is not in force until `enable`; one that was never enabled is void. Shown as text, as `otpauth://` address and as QR code.",
  "twoFactor.enable":
    "Answers ten backup codes. They can be read again for 10 minutes, later only counted. Needs recent authentication.",
  "twoFactor.disable":
    "Takes a code of the authenticator or a backup code. Where there are passkeys, it needs recent authentication, too. Refused for staff.",
  "twoFactor.backupCodes":
    "The codes themselves within 10 minutes of making them; later `backup_codes` is empty and `left` says how many can still be used.",
  "twoFactor.regenerateBackupCodes":
    "The ones before are void at once. Takes a code of the authenticator or a backup code; where there are passkeys, it needs recent authentication instead.",
  "twoFactor.beginStepUp":
    "For an account with a passkey, the options make one challenge: it is answered once, within 2 minutes.",
  "twoFactor.stepUp":
    "What a stolen session must not do answers 403 `step_up_required` when the last proof is older than 10 minutes. Prove it here by the strongest factor of the account: with a passkey where there is one, else with a code where two-factor is on, else with the password. A backup code in `code` stands in for a passkey that is lost. The answer has a new access token, the session's old one stops at once; repeat that call with the new one.",

  "tickets.responseTimes":
    "The median of the last 30 days, of customers with the same support plan, where there are at least 20 answers; else the plan's target.",
  "tickets.list": "The ones with the newest message or change of status first.",
  "tickets.create":
    "Files go into parts named `attachments[0]` to `attachments[4]`, at most 10 MB each. Types are told by the bytes: PNG, JPEG, PDF, plain text, doc, docx and zip. Images are encoded again without their metadata. A file that is refused is named in `message`, and nothing is kept. An account has room for 2,000 files and 500 MB. `with_snapshot` keeps the settings and a doctor report of the shield with the ticket, as far as the caller may see them; support reads both.",
  "tickets.get": "With its newest 500 messages.",
  "tickets.reply":
    "Files go into parts named `attachments[0]` to `attachments[4]`, at most 10 MB each. Types are told by the bytes: PNG, JPEG, plain text, CSV, xls and xlsx. Images are encoded again without their metadata. A file that is refused is named in `message`, and nothing is kept. An account has room for 2,000 files and 500 MB. A reply to a resolved ticket opens it again; one to a closed ticket is refused.",
  "tickets.close": "It takes no replies then. It can be opened again within 14 days.",
  "tickets.reopen": "Within 14 days of closing. The answer to how the help was is forgotten.",
  "tickets.rate": "Once the ticket is closed. A later answer takes the place of the one before.",
  "tickets.downloadAttachment": "The file, as `Content-Disposition: attachment` with its name.",
  "tickets.viewAttachment": "PNG and JPEG only: other files are 404 here.",

  "passkeys.list": "The newest first.",
  "passkeys.begin":
    "The options make one challenge: it is answered once, within 2 minutes, by the session that asked. Needs recent authentication.",
  "passkeys.add":
    "Takes what the browser answered to the options. The owner is told by mail. Ten backup codes are made where the account has none; each stands in once for a passkey that is lost. At most 10 passkeys. Needs recent authentication.",
  "passkeys.remove":
    "The owner is told by mail. Needs recent authentication, and that is by a passkey while there is one.",
  "passkeys.beginLogin":
    "The options name no account: the browser offers the passkeys that it has for this site. The challenge is answered once, within 2 minutes.",
  "passkeys.logIn":
    "A passkey stands for password and code: its device has checked that its owner is there.",

  "account.profile": "The profile's API key is masked here; `reveal` shows it.",
  "account.updateProfile":
    "Postcode and VAT id are checked by the rules of the country. `username` left out stays as it is; null gives it up.",
  "account.updateEmail":
    "Sends a link to the new address. The old one works until the link is opened, and is told. Answers alike for addresses that have an account. Needs recent authentication.",
  "account.confirmEmail": "Takes the token of the mailed link, and ends every session.",
  "account.updatePassword":
    "Ends every session, the one of this call included, and revokes every API key unless `keep_api_keys` is true.",
  "account.updateNotifications":
    "Security notices are mailed in any case; the switch is for product mails. The Discord webhook gets account notices; null removes it, left out it stays. A change of the webhook needs recent authentication.",
  "account.regenerateApiKey":
    "Makes the first key as well. The old key stops at once, everywhere. Needs recent authentication.",
  "account.revealApiKey": "Needs recent authentication; 404 before the first key was made.",
  "account.revokeSession":
    "Its access token stops at once. Needs recent authentication; to end the caller's own session, log out.",
  "account.revokeSessions":
    "The one of this call included. API keys keep working. Needs recent authentication.",
  "liveChannel.createToken":
    "For one connection to the WebSocket at `/sockets`, within 60 seconds and only as long as this session lives. The frames are described in `docs/api.md`.",
  "account.apiKeys":
    "Their names, scopes and last use; a key itself is shown once, when it is made.",
  "account.createApiKey":
    "The key is in this answer and nowhere else: only its hash is kept. At most 20. Needs recent authentication.",
  "account.deleteApiKey":
    "Calls with it answer 401 from then on. The profile's own key is replaced by `regenerate-api-key` instead.",
  "account.export": "As JSON. Needs recent authentication.",
  "account.delete":
    "Bookkeeping keeps what the law demands, without the person. 409 `conflict` says what has to be settled first: shields, an open payment, the balance. Needs recent authentication and the account's e-mail, typed.",
  "profile.dashboard": "Histories are oldest first.",

  "billing.options": "`mode` is `sandbox` on installations that take no real money.",
  "billing.createStripeIntent":
    "Send the browser to `checkout_url`. Nothing is credited before the provider's own record says that it was paid; follow the top-up with `GET /billing/intents/{id}`.",
  "billing.createPaypalOrder":
    "Send the browser to `approval_url`. Nothing is credited before the provider's own record says that it was paid; follow the top-up with `GET /billing/intents/{id}`.",
  "billing.validatePromoCode": "Claims nothing: the code is claimed when the top-up is credited.",
  "billing.confirmIntent":
    "As the return page does. Credits at most once, however often it is called and whatever else arrives.",
  "billing.closeIntent":
    "For a payer who comes back without having paid. A payment that has already arrived is credited as usual.",
  "paymentMethods.setup":
    "Send the browser to `checkout_url`. The card is entered on the provider's page and never reaches this installation.",
  "paymentMethods.confirmSetup":
    "The page that the browser returns to calls it. Without it the card appears when the provider reports it.",
  "paymentMethods.remove":
    "The card can never be charged again. If it was the default, the newest of the others becomes it. Needs recent authentication.",
  "invoices.list":
    "The newest first. A document is issued within a minute of its payment or purchase, usually at once. A page beyond the last answers the last.",
  "invoices.export": "At most 20,000 rows, as `text/csv`, with the same filters.",
  "invoices.archive":
    "A stream: the documents are written while they are read, so that a year of thousands takes minutes.",
  "invoices.read": "Seller, buyer and VAT stay as they were when the document was issued.",
  "billing.transactions": "Amounts are signed: above 0 into the balance.",

  "planChanges.quote":
    "A dearer plan costs the difference for what is left of the paid period, to the second. The price is held for 15 minutes.",
  "planChanges.change":
    "A dearer plan begins at once and takes the difference from the balance; a cheaper one begins with the next period. 409 `plan_exceeded` lists in `issues` what the shield has more of than the plan allows.",
  "planChanges.cancel": "Answers alike where no change is planned.",
  "servers.renew":
    "From a day before the end of the paid period. A saved card is charged where the balance does not cover it. An expired shield comes back within seconds, and its new period begins now.",
  "supportPlans.purchase":
    "A dearer plan begins at once, with a new period: its price less the unused part of the old one. A cheaper one begins with the next period.",
  "billing.updateAutomaticTopUp":
    "Checked every few minutes: below `threshold`, the saved card is charged with `amount`. After a failure it is tried again the next day.",

  "plans.listPricingPlans":
    "`is_available` and `balance_after` are about the caller's balance as it is now.",
  "plans.listLocations": "With `pricing_plan_id`: as that plan includes them.",

  "minecraft.versions":
    "Compare versions by their place in the list, never by number: 1.5.2 is 61, 1.8 is 47.",

  "servers.generateCname":
    "Only the caller can create a shield with it. No two shields ever get the same one.",
  "servers.create":
    "Takes the plan's price from the balance and makes the shield in one step, so that a repetition with the same `Idempotency-Key` buys nothing twice. The shield is active at once; players come through it as soon as DNS points at its CNAME target.",
  "servers.list": "Newest first; `role` says which are whose.",
  "servers.get": "410 for the owner of a shield deleted less than 14 days ago.",
  "servers.rename": "Neither the CNAME target nor the configuration of the edges changes with it.",
  "servers.delete":
    "Edges drop it, its renewal ends, nothing is refunded. For 14 days it can be restored; what it was set to is erased then, and its CNAME target is never given out again. Takes the shield's name, typed. Deleting a deleted one answers alike.",
  "servers.restore":
    "The shield gets back its CNAME target and settings. It is active, or expired when its paid time is over. A domain that another account has proven since then stays theirs. Restoring a shield that is not deleted changes nothing.",
  "servers.overview": "Counted by the edges; at most a minute old.",
  "servers.updateOverview":
    "Each switch is locked for 5 seconds after a change: 429 with `Retry-After`.",
  "servers.propagation":
    "Changes answer a `revision`. Ask here until `edges_applied` equals `edges_total`; an edge that refuses one keeps the last good configuration and says why.",
  "servers.checkDomain": "422 when another account has proven it.",
  "servers.checkCname":
    "Tells what DNS answers and what it should. A resolver that fails is `unknown`, never unverified.",
  "servers.probe": "An edge pings the address as Minecraft does and tells the parsed status only.",
  "servers.doctor":
    "Looks from every edge of the shield at its domains, backends and PROXY protocol, and with Bedrock on at its ports and servers for Bedrock. Each finding has a stable `code` and says how to mend it.",

  "domains.list": "The plan allows `domains_max` of them.",
  "domains.add":
    "Players come by it once it is proven: by a CNAME or SRV record to the shield's CNAME target, or by the TXT record of `setup`. DNS is looked at again and again for 7 days; then the domain ends, until `check` finds its record. A wildcard needs its parent proven first. 403 `plan_limit` where the plan allows no more.",
  "domains.update": "`group_id` null: whichever group serves the location of the edge.",
  "domains.remove": "It is routed no more at once, and can be restored for 10 minutes.",
  "domains.restore":
    "422 `domain_in_use` when another account has proven it since then; 404 after 10 minutes.",
  "domains.setup": "With `look=false` DNS is not asked, and the answer comes at once.",
  "domains.check": "Where the record is found, the domain is proven from then on.",
  "region.update":
    "At most once every 2 minutes, else 429 with `Retry-After`. DNS sends players to the new region at once; the edges of the old region serve players until no DNS answer leads there any more.",
  "backends.get":
    "Health is what edges that are online report: a server that none has looked at lately is `unknown`.",
  "backends.create":
    "Choices are taken as a value or as they are shown: `IP Hash` is `ip_hash`. A group of the game `other` gets a TCP port of its own, the same on every edge. 403 `plan_limit` where the plan allows no more groups.",
  "backends.update":
    "What is left out stays. With `If-Match` set to the group's `etag`, a change made elsewhere in the meantime is 412 instead of lost.",
  "backends.delete":
    "409 `last_group` for the only one, `default_group` for the default one: make another the default first.",
  "backends.addServer":
    "Public addresses and host names, at most 64 a group; 422 `backend_exists` where the group has it already.",
  "backends.checkProof":
    "Players are sent to a Minecraft server once it has answered an edge as one, and to any other once its owner has proved it: by the token in its MOTD, as the first bytes of its connections, or in a TXT record below the name that its address has in reverse DNS. The proof counts for this address and shield.",
  "origin.addresses": "For cron jobs on game servers: one address a line, cacheable for 5 minutes.",

  "firewall.update":
    "Switches that are left out stay as they are. One that changed can be changed again after 5 seconds: 429 before.",
  "firewall.addEntry":
    "IPv4 or IPv6, one address or a CIDR range, or the name of a player, which is compared without case; at most 10,000 entries a list. A server in offline mode lets anyone use any name: a name on the whitelist of such a server says nothing about who joins. 422 `entry_exists` where it is on the list already. With `expires_at` it ends by itself, at most ten years from now.",
  "firewall.updateEntry":
    "What is left out stays as it is. An entry that has ended is in force again with a new end or none; 422 `list_full` where the list has no place for it.",
  "firewall.import":
    "Reads what it can and says what it could not, by line. Entries that are on the list keep their note and end where the import says nothing about them. Rules of TCPShield with `whitelist` go to the list that they are for and are skipped for the other. All or nothing where the list would hold more than 10,000 entries: 422 `list_full`.",
  "firewall.export":
    "CSV with the columns `ip`, `created_at`, `name`, `note` and `expires`, each row with an address or a name; `import` reads it again. Entries that have ended are not in it.",
  "firewall.clear": "An empty list answers alike.",
  "firewall.networks":
    "By the operator's databases of addresses; an address that they do not know belongs to no rule. `databases` tells which there are.",
  "firewall.addNetwork":
    "Give `country` or `asn`. `block` refuses players of that country or network with `blacklist_msg`, `allow` exempts them from VPN lists and from harder checks for suspicion, and `challenge` asks unknown players of Java for the gravity check at least, and treats those of Bedrock as at High, at every level. The rule of a network wins over its country's; the lists win over both. At most 500 rules, one for each country and network: 422 `entry_exists`, `list_full`.",
  "subUsers.list": "Invitations come first, then people by name.",
  "subUsers.add":
    "Mails a link that is valid for 7 days. The answer is the same for addresses and usernames without an account. Inviting again sends a new link and voids the earlier one. 422 `entry_exists` only when the person already has access to this shield.",
  "subUsers.remove":
    "From the next call on, sessions and API keys of the person are refused for this shield. An invitation is withdrawn by the same id, whether it was accepted or not.",
  "subUsers.leave": "403 for the owner.",
  "invitations.get":
    "By the token behind the `#` of the mailed link. 422 `invalid_code` where it is used or over.",
  "invitations.accept":
    "Only for the account that was invited: 403 says, masked, whose that is. Accepting twice is no error.",
  "invitations.decline": "Voids the link; the owner can send another.",
  "serverMessages.get": "An empty text stands for the product's own.",
  "serverMessages.update":
    "A text that is left out stays, an empty one goes back to the product's own. Colours by `§` or `&`; placeholders `{player}`, `{seconds}`, `{min_version}`, `{max_version}`, `{discord}`, `{trace}`, each where it means something. `offline_image` is a PNG of 64x64 pixels, drawn anew by the server: null, or empty in a form, removes it. As JSON it is a data URI; as `multipart/form-data`, with names in brackets, a file.",
  "serverMessages.image":
    "The uploaded offline image as a data URI, or else the last icon that a backend of the shield had in its status; 404 without both. `img` of a list changes with it.",

  "caching.get": "`hit_rate` counts the last 24 hours by whole hours.",
  "caching.update": "Off, every ping reaches the server, up to the edges' cap.",
  "caching.purge": "Each edge asks the server anew at the next ping.",
  "bedrock.get":
    "`domain` is the name that players type: the shield's first proven domain, or its label.",
  "bedrock.update": "Off, the edges close the ports of the shield. The ports stay the shield's.",
  "bedrock.addRandom":
    "A free port of the pool, chosen at random. 409 `ports_full` where the shield has as many as it may have.",
  "bedrock.addDefault":
    "The port that Bedrock suggests to players. Support gives a shield the right to it: 403 without. 409 `port_taken` where another shield of the location has it.",
  "bedrock.remove":
    "The edges close the port at once. No other shield gets it within a day, because players have saved it.",
  "mitigation.get": "As it acts: a level above the plan's is shown as the plan's strictest.",
  "mitigation.update":
    "A limit that is on may not be 0. What is missing stays as it is, so one control can be changed alone.",
  "mitigation.challenges":
    "Today and the six days before, in UTC, of all edges together. `median_ms` is read from eight ranges of times, so it is about right; a player who takes longer than 32 seconds counts as 32.",
  "mitigation.tryAddress": "Null where there is none, or its 24 hours are over.",
  "mitigation.startTry":
    "Every player who joins by this name is checked, even if they are known or on the whitelist; once they have passed, they have two minutes to join the server by it. Where there is an address already, it stays for another 24 hours and asks for the given check from now on. Its checks count in no statistics.",
  "mitigation.endTry": "Without an address, nothing happens and `revision` is null.",
  "mitigation.replay":
    "Nothing is saved. The edge's own rules decide the logins of the last 24 hours again, once under the saved settings and once under these; what is missing stays as it is saved. Lists and plan are today's. Needs the right to see the log, too.",

  "analytics.get":
    "Minutes are kept for 48 hours, ten minutes for 14 days and hours for 13 months, or as long as the plan keeps them; `step_seconds` follows from the length and age of the period. Every series has one value for each of `times`; null where no edge has reported, 0 where there was nothing. Versions, protocols, countries and networks count joins.",
  "analytics.export":
    "As `text/csv`, one row for each of `times` with the values of `series`; empty where nothing is known.",
  "attacks.list":
    "Of all edges together: an attack lasts until it is over on the last of them, or until nothing more is heard of that one.",
  "attacks.get":
    "`course` has the most logins in a second of each point, of all edges together; its highest point is `peak_per_second`. It and the sources are kept for 30 days; later they are null or empty. Sources are the most frequent ones with at least so many logins. A flood of datagrams to Bedrock ports has a course of its own, `datagrams`, and changes no check. Members without the right to change the firewall see shortened addresses.",
  "attacks.pdf": "On A4, with times in UTC. Addresses are shortened as in `attacks.get`.",
  "attacks.shares": "Links that have ended or were revoked are left out.",
  "attacks.share":
    "The page behind the link is `/shared/attack#` and the token. It shows no address, no setting, no players online, no server and no account. The token is shown once.",
  "attacks.revoke": "From then on the link answers 404.",
  "attacks.shared": "For anyone with the token.",
  "logs.entries":
    "Every login in quiet times, a sample of them under a flood. A refused player reads the `trace`; filters can be combined, and names are compared without regard to case. `q` searches names, domains, trace codes and the begin of addresses. Members without the right to addresses see them shortened and cannot filter by them.",
  "logs.export": "At most 100,000 rows, as `text/csv`, with the same filters.",
  "logs.tail":
    "Lines of JSON: `entries` as they arrive, `beat` in quiet times, `gap` where more arrived than is sent, and `end`. Connect again with `after`; a few entries before it may come twice.",
  "logs.updateSettings": "For the caller's own console; other members keep theirs.",
  "logs.erasePlayer":
    "Deletes what the log and the attacks have of the name, for a player who asks for it.",

  "notifications.get": "Mails go to the owner of the shield, in the language of their last login.",
  "notifications.update": "A setting that is left out stays as it is.",
  "webhooks.list": "Addresses are masked: there may be a secret in them.",
  "webhooks.add":
    "The address of a chat has the form that its service gives; of Telegram `https://api.telegram.org/bot<token>/sendMessage?chat_id=<id>`. The secret is in this answer and nowhere else.",
  "webhooks.update": "Switched on again, a webhook gets what happens from then on.",
  "webhooks.remove": "What still waits is not sent.",
  "webhooks.rotateSecret":
    "For 24 hours the former secret signs too, so that the receiver can take the new one in its own time.",
  "webhooks.test": "Tried once. The delivery tells what came of it.",
  "webhooks.deliveries": "Kept for 30 days. `answer` is the beginning of what was answered.",
  "webhooks.redeliver":
    "With the same `webhook-id`, so that the receiver can tell it is a repetition.",

  "history.list":
    "By owner, members, staff and the system itself, kept for a year. Secrets never appear; of a long list of addresses, the first 50 are named.",
  "history.compare":
    "The settings after the change of the entry, beside those of now, or of another entry: `with`.",
  "history.restore":
    "By the validation of every area, as one revision and a change of the caller's. `left_out` names what the plan, the rules or the caller's role do not allow any more; domains are not added or removed.",
  "history.export": "At most 5,000 changes, as `text/csv`, with the same filters.",

  "audit.list": "Secrets never appear: `full_url` shows known query parameters only.",
  "audit.export": "At most 10,000 rows, as `text/csv`, with the same filters.",

  "staffTickets.list":
    "The answer that is due first comes first. Snoozed tickets are in their own view and in `all`.",
  "staffTickets.get": "Who looked is on record.",
  "staffTickets.reply":
    "Answers `ticket_changed` where the newest message is not `last_message_id`, unless `anyway` is set. The first answer makes the ticket the writer's. A note is never sent to the customer.",
  "staffTickets.change": "Only the fields that are given change.",
  "staffTickets.merge":
    "The messages and files go to the end of the other ticket, in their order; this one is closed and names the other.",
  "staffTickets.bulk":
    "All or none: one unknown id changes nothing. Merged tickets are left alone.",
  "staffTickets.look": "Call it every few seconds while the ticket is open on a screen.",
  "cannedReplies.list":
    "Texts with the variables `{customer}`, `{ticket}`, `{server}` and `{staff}`, which the console fills in before they are sent.",
  "staffSupport.changeTargets":
    "A ticket that waits already keeps its time until something is written or changed in it.",
  "staffSupport.changeHours":
    "A ticket that waits already keeps its time until something is written or changed in it.",
  "staffMails.list": "Newest first. A mail is deleted 30 days after it came.",
  "staffMails.accept":
    "It becomes a message of the customer's, with its files. 409 where it is of no ticket, unreadable or empty.",
  "staffMails.discard": "Its text is gone; who discarded it and why stays on record.",
  "staffEdges.create": "The one-time token is in this answer and nowhere else.",
  "staffUsers.list": "Newest accounts first.",
  "staffUsers.audit": "What the owner reads in their own audit log.",
  "staffUsers.adjust":
    "Above the limit of the installation the order waits for a second staff member: see `GET /staff/orders`.",
  "staffUsers.refund":
    "Takes the cash at once; the provider sends it back. Above the limit of the installation the order waits for a second staff member.",
  "staffUsers.block":
    "Logging in answers 403 `account_blocked`. The account's shields go on, unless `block_shields` is set.",
  "staffUsers.twoFactorOff":
    "Nothing is removed yet: another staff member confirms it. First make sure that the owner asks.",
  "staffUsers.confirmTwoFactorOff":
    "Also ends every session and tells the owner by mail. 409 for the one who asked.",
  "staffUsers.viewAs":
    "The token belongs to the staff member's session and ends with it. Calls that show a secret or export everything are refused too; each page seen is on the staff member's record.",
  "staffUsers.search": "At most 8 results of a kind.",
  "staffEdges.revoke": "Its configuration stream ends; it keeps serving what it last knew.",

  "staffStatus.create":
    "The status page shows it at once, and subscribers get its first update. A maintenance begins and ends by itself at its planned times.",
  "staffStatus.update": "Subscribers are not told. Without `starts_at` or `ends_at` these stay.",
  "staffStatus.addUpdate":
    "Subscribers get it. `resolved`, `completed` and `cancelled` end it: then it takes no further update.",
};
