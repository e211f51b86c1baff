// Made by scripts/web_types.py from the server's description; 'make fix' writes it anew. Not to be edited.

export const BASE = "base";
export const BASE_MARKS: Readonly<Record<string, string>> = {"base-1": "1", "base-2": "2", "base-$": "$"};
export const TITLES: Readonly<Record<string, string>> = {"base": "Base game", "bonus": "Bonus", "three_card": "3 Card Bonus", "cover_all": "Cover All"};
