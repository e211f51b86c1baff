// Pages: which page is at which address; the lobby and the table come with the first load, others when a person goes there.
import type { ComponentType } from "preact";
import type { Text } from "../texts";
import { withTexts } from "../texts/language";
import Lobby from "./lobby/Lobby";
import TablePage from "./table/TablePage";

export interface PageProps {
  /** What the address says, by the names in its pattern. */
  params: Record<string, string>;
}

export interface Page {
  pattern: RegExp;
  title: Text;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
  /** Whether the page has the whole window, without the house's head line. */
  whole?: boolean;
}

export const pages: Page[] = [
  { pattern: /^\/$/, title: "nav.lobby", load: () => Promise.resolve({ default: Lobby }) },
  { pattern: /^\/table\/(?<id>[^/]+)$/, title: "nav.lobby", load: () => Promise.resolve({ default: TablePage }) },
  { pattern: /^\/results$/, title: "results.title", load: () => withTexts(import("./results/ResultsPage")) },
  { pattern: /^\/rounds\/(?<token>[^/]+)$/, title: "shared.title", load: () => withTexts(import("./results/SharedRound")) },
  { pattern: /^\/par(\/(?<id>[^/]+))?$/, title: "par.title", load: () => withTexts(import("./par/Par")) },
  { pattern: /^\/learn$/, title: "learn.title", load: () => withTexts(import("./learn/Learn")) },
  { pattern: /^\/learn\/player\/(?<id>[^/]+)$/, title: "learn.title", load: () => withTexts(import("./learn/PlayerDrill")) },
  { pattern: /^\/learn\/player\/(?<id>[^/]+)\/exam$/, title: "learn.title", load: () => withTexts(import("./learn/PlayerExam")) },
  { pattern: /^\/learn\/player\/(?<id>[^/]+)\/rules$/, title: "learn.title", load: () => withTexts(import("./learn/PlayerRules")) },
  { pattern: /^\/learn\/(dealer|floor)\/(?<book>[^/]+)\/(?<drill>deal|pay|watch|floor)$/, title: "learn.title", load: () => withTexts(import("./learn/staff/StaffDrill")) },
  { pattern: /^\/learn\/instructor$/, title: "instructor.title", load: () => withTexts(import("./learn/staff/Instructor")) },
  { pattern: /^\/rulings(\/(?<book>[^/]+))?$/, title: "desk.rulings.title", load: () => withTexts(import("./desk/Rulings")) },
  { pattern: /^\/payouts(\/(?<book>[^/]+))?$/, title: "desk.payouts.title", load: () => withTexts(import("./desk/Payouts")) },
  { pattern: /^\/staff(\/(?<rest>.+))?$/, title: "staff.title", load: () => withTexts(import("./staff/Staff")) },
];
