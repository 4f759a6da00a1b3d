import { landingPage } from "./page/landing-page.tsx";
import { start } from "./start.tsx";

start(landingPage);
