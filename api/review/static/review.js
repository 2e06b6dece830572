// The little that the review page does by itself. Reading and deciding work without it.
"use strict";

(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // --- Telegram's colours, kept while the Mini App is open, set before anything is painted ---

  const THEME = "keepsake.theme";

  function isDark(colour) {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    return 0.299 * r + 0.587 * g + 0.114 * b < 128;
  }

  function paint(theme) {
    for (const [name, colour] of Object.entries(theme)) {
      if (/^[a-z_]{1,40}$/.test(name) && /^#[0-9a-f]{6}$/i.test(colour)) {
        root.style.setProperty(`--tg-theme-${name.replaceAll("_", "-")}`, colour);
      }
    }
    if (/^#[0-9a-f]{6}$/i.test(theme.bg_color)) {
      root.dataset.theme = isDark(theme.bg_color) ? "dark" : "light";
    }
  }

  function remembered() {
    try {
      return JSON.parse(sessionStorage.getItem(THEME)) || {};
    } catch {
      return {};
    }
  }

  function keep(theme) {
    try {
      sessionStorage.setItem(THEME, JSON.stringify(theme));
    } catch {
      // a frame may have no storage of its own; the page then has its own colours
    }
  }

  const told = new URLSearchParams(location.hash.slice(1));
  const data = told.get("tgWebAppData");
  if (told.has("tgWebAppThemeParams")) {
    try {
      const theme = JSON.parse(told.get("tgWebAppThemeParams"));
      if (theme && typeof theme === "object") keep(theme);
    } catch {
      // no colours of Telegram's then
    }
  }
  paint(remembered());

  // --- Opened as a Mini App: Telegram says who it is, in the part of the address that no server sees ---

  function notEntered() {
    for (const each of document.querySelectorAll("[data-entering]")) each.hidden = true;
    for (const each of document.querySelectorAll("[data-not-entered]")) each.hidden = false;
  }

  async function enter() {
    const framed = window.self !== window.top;
    const answer = await fetch(`${root.dataset.base}/telegram`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ data, framed: framed ? "1" : "" }),
      credentials: "same-origin",
    }).catch(() => null);
    // Without an answer the address keeps what it says, so that opening the page again tries again.
    if (answer) history.replaceState(null, "", location.pathname + location.search);
    if (answer && answer.ok) location.replace(root.dataset.base);
    else notEntered();
  }

  if (data) {
    if (window.TelegramWebviewProxy) {
      window.TelegramWebviewProxy.postEvent("web_app_ready", "{}");
      window.TelegramWebviewProxy.postEvent("web_app_expand", "{}");
    }
    document.addEventListener("DOMContentLoaded", enter);
  } else {
    document.addEventListener("DOMContentLoaded", notEntered);
  }

  // --- A question before what is hard to take back: <button data-confirm="…"> ---

  document.addEventListener("submit", (event) => {
    const question = event.submitter && event.submitter.dataset.confirm;
    if (question && !window.confirm(question)) {
      event.preventDefault();
      return;
    }
    // Pressed twice is meant once, except where a press brings a file.
    if (event.target.dataset.sent) event.preventDefault();
    else if (event.target.method === "post" && !("again" in event.target.dataset)) event.target.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
  });

  // --- Filter as you type: <input data-filter="#id"> hides the [data-row]s in it that lack the words ---

  function plain(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function filter(field) {
    const wanted = plain(field.value).split(/\s+/).filter(Boolean);
    const place = document.querySelector(field.dataset.filter);
    if (!place) return;
    let shown = 0;
    for (const row of place.querySelectorAll("[data-row]")) {
      const words = plain([...row.querySelectorAll(".words, .meta")].map((part) => part.textContent).join(" "));
      row.hidden = !wanted.every((word) => words.includes(word));
      if (!row.hidden) shown += 1;
    }
    for (const group of place.querySelectorAll("[data-group]")) {
      group.hidden = !group.querySelector("[data-row]:not([hidden])");
    }
    const none = document.querySelector(`[data-filter-none="${field.dataset.filter}"]`);
    if (none) none.hidden = shown > 0;
  }

  document.addEventListener("input", (event) => {
    if (event.target.dataset.filter) filter(event.target);
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const field of document.querySelectorAll("[data-filter]")) if (field.value) filter(field);
    // On a phone not all sections fit, nor all categories; the one that is open must.
    for (const open of document.querySelectorAll(".nav [aria-current], .chips [aria-current]")) {
      const line = open.closest("ul");
      line.scrollLeft = open.offsetLeft - (line.clientWidth - open.clientWidth) / 2;
    }
    // The address tells it once: a page that is opened again later has no news.
    const address = new URL(location.href);
    if (address.searchParams.has("flash")) {
      address.searchParams.delete("flash");
      history.replaceState(null, "", address.pathname + address.search + address.hash);
    }
  });
})();
