package film

import (
	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name: "film",
	Doc:  "film pages",
	Part: handlers.Part{
		Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterTrace: FilmTools},
	},
}

// Tools that film a page.
var (
	VideoStart = tool.TypedOnPage(tool.Record.Acts("video-start", "Start video",
		"Film the page from now on (Chromium), until video-stop, the page's end or the run's; the film's path").OwnAnswers(),
		videoStart)
	VideoChapter = tool.TypedOnPageDo(tool.Record.Acts("video-chapter", "Chapter of video",
		"Begin a chapter of the page's .webm film; the film shows its name for two seconds").OwnWords(), videoChapter)
	VideoStop = tool.TypedOnPage(tool.Record.Acts("video-stop", "Stop video", "End the film; its path").OwnAnswers(), videoStop)
)

// FilmTools film a page.
func FilmTools() []*provider.Tool {
	return []*provider.Tool{VideoStart.Tool, VideoChapter.Tool, VideoStop.Tool}
}
