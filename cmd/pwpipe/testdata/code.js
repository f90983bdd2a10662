async page => 'code of a file on ' + page.url()
