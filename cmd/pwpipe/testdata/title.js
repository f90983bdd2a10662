async page => 'code of a file: ' + await page.title()
