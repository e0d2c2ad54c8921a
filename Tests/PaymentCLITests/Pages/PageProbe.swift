/// What is looked at inside of a page, in the browser's own language.
enum PageProbe {
    /// Stands first in the page and hears what goes wrong in it.
    static let listening = """
        window.problems = [];
        window.addEventListener('error', event => problems.push('error: ' + event.message));
        window.addEventListener('unhandledrejection', event => problems.push('rejection: ' + event.reason));
        document.addEventListener('securitypolicyviolation', event => problems.push('policy: ' + event.blockedURI));
        for (const name of ['error', 'warn']) console[name] = (...words) => problems.push(name + ': ' + words.join(' '));
        """

    /// Looks at the page in the frame, works its filter, and writes what was found into an attribute.
    static let script = """
        function look(view) {
          const page = view.document;
          const problems = view.problems, all = [...page.querySelectorAll('body *')];
          const seen = element => element.checkVisibility() && !element.closest('.unseen');
          const say = (what, element) =>
            problems.push(what + ': <' + element.tagName.toLowerCase() + '> ' + element.textContent.trim().slice(0, 60));
          if (page.documentElement.lang !== 'en') problems.push('no language');
          if (!page.title.trim()) problems.push('no title');
          if (page.querySelectorAll('h1').length !== 1) problems.push('not one h1');
          if (page.querySelectorAll('main').length !== 1) problems.push('not one main');
          let level = 0;
          for (const heading of page.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
            const own = Number(heading.tagName[1]);
            if (own > level + 1) say('heading after a level that is missing', heading);
            if (!heading.textContent.trim()) say('empty heading', heading);
            level = own;
          }
          const ids = all.map(element => element.id).filter(Boolean);
          for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push('id twice: ' + id);
          for (const element of all) for (const name of ['aria-labelledby', 'for'])
            for (const id of (element.getAttribute(name) || '').split(' ').filter(Boolean))
              if (!page.getElementById(id)) say(name + ' ' + id + ' names nothing', element);
          const named = element => {
            const by = page.getElementById(element.getAttribute('aria-labelledby'));
            const text = element.getAttribute('aria-label') || by?.textContent || element.labels?.[0]?.textContent
              || element.textContent;
            return text.trim().length > 0;
          };
          for (const element of page.querySelectorAll('a, button, input, select, summary, nav, svg, [role=region]'))
            if (!named(element)) say('without a name', element);
          for (const link of page.querySelectorAll('a'))
            if (!page.getElementById(decodeURIComponent(link.getAttribute('href').slice(1)))) say('leads nowhere', link);
          for (const table of page.querySelectorAll('table')) {
            const heads = table.querySelectorAll('thead th[scope=col]').length;
            if (!heads) say('without heads', table);
            for (const row of table.querySelectorAll('tbody tr')) {
              if (row.children.length !== heads) say('has another number of cells than heads', row);
              if (row.children[0].getAttribute('scope') !== 'row') say('row without a head', row);
            }
          }
          for (const area of all)
            if (area.scrollWidth > area.clientWidth + 1 && ['auto', 'scroll'].includes(view.getComputedStyle(area).overflowX)
              && area.tabIndex < 0 && area.tagName !== 'INPUT') say('scrolls, and not by keyboard', area);
          const channels = text => (text.match(/[\\d.]+/g) || []).map(Number);
          const light = ([r, g, b]) => [r, g, b].map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
            .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
          const behind = element => {
            for (let at = element; at; at = at.parentElement) {
              const colour = channels(view.getComputedStyle(at).backgroundColor);
              if (colour.length === 3 || colour[3] > 0) return colour;
            }
            return channels(view.getComputedStyle(page.body).backgroundColor);
          };
          let checked = 0, worst = 99;
          for (const element of all) {
            const texts = [...element.childNodes].some(node => node.nodeType === 3 && node.nodeValue.trim());
            if (!texts || !seen(element) || ['SCRIPT', 'STYLE', 'TITLE'].includes(element.tagName.toUpperCase())) continue;
            const style = view.getComputedStyle(element), drawn = element.namespaceURI.endsWith('svg');
            const ink = channels(drawn ? style.fill : style.color);
            const group = drawn && element.classList.contains('inside') ? element.previousElementSibling : null;
            const paper = group ? channels(view.getComputedStyle(group).fill) : behind(element);
            const [one, other] = [light(ink), light(paper)].sort((a, b) => b - a);
            const contrast = (one + 0.05) / (other + 0.05);
            checked += 1;
            worst = Math.min(worst, contrast);
            if (contrast < 4.5) say('contrast ' + contrast.toFixed(2), element);
          }
          const html = page.documentElement, wide = html.scrollWidth > view.innerWidth;
          if (wide) problems.push('scrolls sideways: ' + html.scrollWidth + ' of ' + view.innerWidth + ', by '
            + all.filter(seen).filter(element => element.getBoundingClientRect().right > view.innerWidth + 1)
              .slice(0, 3).map(element => element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 40)));
          const height = html.scrollHeight;
          const rows = [...page.querySelectorAll('tbody tr, .case')];
          const count = () => rows.filter(row => row.checkVisibility()).length;
          const filter = page.getElementById('filter'), different = page.getElementById('different');
          const type = text => { filter.value = text; filter.dispatchEvent(new view.Event('input')); return count(); };
          const word = (rows[rows.length - 1].querySelector('th, h3').textContent.trim().split(/\\s+/)[0] || '');
          const before = count(), found = type(word), none = type('no such word here'), told =
            page.getElementById('nothing').checkVisibility(), again = type('');
          different.click();
          const differing = count();
          const wanted = rows.filter(row => row.classList.contains('bad') || row.classList.contains('doubt')).length;
          different.click();
          page.body.dispatchEvent(new view.KeyboardEvent('keydown', {key: '/', bubbles: true}));
          const outside = [...page.querySelectorAll('[src], link, [style]')].length;
          return {problems, checked, worst: worst.toFixed(2), height, rows: rows.length, before, found, none, told,
            again, differing, wanted, focused: page.activeElement === filter, outside, word,
            dark: view.matchMedia('(prefers-color-scheme: dark)').matches, width: view.innerWidth};
        }
        window.addEventListener('load', () => {
          const found = [...document.querySelectorAll('iframe')].map(frame => look(frame.contentWindow));
          const bytes = new TextEncoder().encode(JSON.stringify(found));
          document.documentElement.dataset.probe = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
        });
        """
}
