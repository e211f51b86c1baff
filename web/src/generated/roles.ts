// Made by scripts/web_types.py from the server's description; 'make fix' writes it anew. Not to be edited.

export const STAFF_ACCOUNTS = ["dealer", "floor", "casino_supervisor", "inspector", "administrator"] as const;
export const SUPERVISORS: readonly string[] = ["floor", "casino_supervisor", "administrator"];
export const REVIEWERS: readonly string[] = ["floor", "casino_supervisor", "inspector", "administrator"];
export const MANAGERS: readonly string[] = ["casino_supervisor", "administrator"];
export const AUDITORS: readonly string[] = ["inspector", "administrator"];
export const OVERSEES: readonly string[] = ["floor", "casino_supervisor", "games_supervisor", "operator"];
